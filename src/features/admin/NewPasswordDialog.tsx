import type { NewPassword } from '#src/contract/user.ts'
import { Button } from '#src/ui/Button.tsx'
import { CopyTextButton } from '#src/ui/CopyButton.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { Field, TextInput } from '#src/ui/Field.tsx'
import styles from './screens.module.css'

type NewPasswordDialogProps = {
  created: NewPassword | null
  /** whether the password is for a program that streams */
  isForStreaming: boolean
  onClose: () => void
}

/** Shows a generated password, once. A click outside the dialog does not close it. */
export function NewPasswordDialog({ created, isForStreaming, onClose }: NewPasswordDialogProps) {
  const next = isForStreaming
    ? 'Give it to the streamer, who enters it in a program.'
    : 'Ask the user to change it after logging in.'
  return (
    <Dialog
      open={created !== null}
      onClose={onClose}
      title={isForStreaming ? 'Streaming password' : 'Generated password'}
      lead={created?.email}
      narrow
      dirty
      foot={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      {created && (
        <Field label="Password" hint={`Shown only once. ${next}`}>
          <div className={styles.secret}>
            <TextInput mono readOnly value={created.password} onFocus={({ currentTarget }) => currentTarget.select()} />
            <CopyTextButton text={created.password} label="Copy" />
          </div>
        </Field>
      )}
    </Dialog>
  )
}
