import type { FormEvent } from 'react'
import { type NewPassword, ROLES, type Role } from '#src/contract/user.ts'
import { newUser, userMessages } from '#src/contract/userForms.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText, trpc } from '#src/lib/trpc.ts'
import { useForm } from '#src/lib/useForm.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { Field, TextInput } from '#src/ui/Field.tsx'
import { Select } from '#src/ui/Select.tsx'

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
    onError: (error) => setRefusal({ text: errorText(error, userMessages.add) }),
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
      title="Add User"
      narrow
      busy={isPending}
      dirty={fields.email !== ''}
      onSubmit={submit}
      foot={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button variant="primary" type="submit" busy={isPending}>
            Add
          </Button>
        </>
      }
    >
      {refusal && <Alert>{refusal.text}</Alert>}
      <Field label="Email" hint="You'll see a generated password once. No email is sent.">
        <TextInput {...control('email')} type="email" autoComplete="off" />
      </Field>
      <Field label="Role" hint="Admins can do everything. Members moderate the boards that list them.">
        <Select {...control('role')}>
          {ROLES.map((role) => (
            <option key={role} value={role}>
              {role}
            </option>
          ))}
        </Select>
      </Field>
    </Dialog>
  )
}
