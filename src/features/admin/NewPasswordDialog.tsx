import type { NewPassword } from '#src/contract/user.ts'
import { t } from '#src/i18n/t.ts'
import { Button } from '#src/ui/Button.tsx'
import { CopyTextButton } from '#src/ui/CopyButton.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { Field, TextInput } from '#src/ui/Field.tsx'
import styles from './screens.module.css'

export type ShownPassword = NewPassword & {
  /** whether the password is for a program that streams */
  isForStreaming: boolean
}

type NewPasswordDialogProps = { created: ShownPassword; onClose: () => void }

/** Shows a generated password, once. Only the dialog's buttons close it. */
export function NewPasswordDialog({ created, onClose }: NewPasswordDialogProps) {
  const { email, password, isForStreaming } = created
  return (
    <Dialog
      onClose={onClose}
      title={isForStreaming ? t('admin.streamPassword') : t('admin.generatedPassword')}
      lead={email}
      narrow
      busy
      foot={
        <Button variant="primary" onClick={onClose}>
          {t('ui.done')}
        </Button>
      }
    >
      <Field
        label={t('admin.password')}
        hint={isForStreaming ? t('admin.streamPasswordHint') : t('admin.passwordHint')}
      >
        <div className={styles.secret}>
          <TextInput mono readOnly value={password} onFocus={({ currentTarget }) => currentTarget.select()} />
          <CopyTextButton text={password} label={t('ui.copy')} />
        </div>
      </Field>
    </Dialog>
  )
}
