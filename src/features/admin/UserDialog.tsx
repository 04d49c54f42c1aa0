import { type NewPassword, type NewUser, ROLES, type Role } from '#src/contract/auth.ts'
import { t } from '#src/i18n/t.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText, refusedField, trpc } from '#src/lib/trpc.ts'
import { useForm } from '#src/lib/useForm.ts'
import { Button } from '#src/ui/Button.tsx'
import { CopyTextButton } from '#src/ui/CopyButton.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { Field, Select, TextInput } from '#src/ui/Field.tsx'
import { FormDialog } from '#src/ui/FormDialog.tsx'

export const roleLabels: Record<Role, () => string> = {
  admin: () => t('site.roleAdmin'),
  member: () => t('site.roleMember'),
}

const empty: NewUser = { email: '', role: 'member' }

type UserDialogProps = { onClose: () => void; onAdded: (created: NewPassword) => void }

export function UserDialog({ onClose, onAdded }: UserDialogProps) {
  const { fields, refusal, refuse, submitting, control } = useForm(empty)
  const { mutate, isPending } = useMutation({
    mutationFn: async (user: typeof empty) => (await trpc()).auth.users.add.mutate(user),
    onSuccess: onAdded,
    onError: (error) => refuse(errorText(error, t('admin.addUserFailed')), refusedField(error)),
  })

  return (
    <FormDialog
      onClose={onClose}
      title={t('admin.addUser')}
      narrow
      busy={isPending}
      dirty={fields.email !== ''}
      onSubmit={submitting(() => mutate(fields))}
      label={t('ui.add')}
      refusal={refusal?.text}
    >
      <Field label={t('auth.email')} hint={t('admin.emailHint')}>
        <TextInput {...control('email')} type="email" autoComplete="off" />
      </Field>
      <Field label={t('admin.role')} hint={t('admin.roleHint')}>
        <Select {...control('role')}>
          {ROLES.map((role) => (
            <option key={role} value={role}>
              {roleLabels[role]()}
            </option>
          ))}
        </Select>
      </Field>
    </FormDialog>
  )
}

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
      title={isForStreaming ? t('streamer.streamingPassword') : t('password.generated')}
      lead={email}
      narrow
      busy
      foot={
        <Button variant="primary" onClick={onClose}>
          {t('ui.done')}
        </Button>
      }
    >
      <Field label={t('auth.password')} hint={isForStreaming ? t('admin.streamPasswordHint') : t('admin.passwordHint')}>
        <div className="cluster">
          <TextInput mono readOnly value={password} onFocus={({ currentTarget }) => currentTarget.select()} />
          <CopyTextButton text={password} label={t('ui.copy')} />
        </div>
      </Field>
    </Dialog>
  )
}
