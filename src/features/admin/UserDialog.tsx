import type { FormEvent } from 'react'
import { type NewPassword, ROLES, type Role } from '#src/contract/user.ts'
import { newUser } from '#src/contract/userForms.ts'
import { t } from '#src/i18n/t.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText, trpc } from '#src/lib/trpc.ts'
import { useForm } from '#src/lib/useForm.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { Field, TextInput } from '#src/ui/Field.tsx'
import { Select } from '#src/ui/Select.tsx'
import { roleLabels } from './roleLabels.ts'

const empty: { email: string; role: Role } = { email: '', role: 'member' }

type UserDialogProps = { open: boolean; onClose: () => void; onAdded: (created: NewPassword) => void }

export function UserDialog({ open, onClose, onAdded }: UserDialogProps) {
  const { fields, refusal, setRefusal, validate, control, clear } = useForm(empty, newUser)
  const { mutate, isPending } = useMutation({
    mutationFn: async (user: typeof empty) => (await trpc()).auth.users.add.mutate(user),
    onSuccess: (created) => {
      clear()
      onAdded(created)
    },
    onError: (error) => setRefusal({ text: errorText(error, t('admin.addUserFailed')) }),
  })

  function close() {
    clear()
    onClose()
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (validate(event.currentTarget)) mutate(fields)
  }

  return (
    <Dialog
      open={open}
      onClose={close}
      title={t('admin.addUser')}
      narrow
      busy={isPending}
      dirty={fields.email !== ''}
      onSubmit={submit}
      foot={
        <>
          <Button onClick={close}>{t('ui.cancel')}</Button>
          <Button variant="primary" type="submit" busy={isPending}>
            {t('ui.add')}
          </Button>
        </>
      }
    >
      {refusal && <Alert>{refusal.text}</Alert>}
      <Field label={t('admin.email')} hint={t('admin.emailHint')}>
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
    </Dialog>
  )
}
