import type { FormEvent } from 'react'
import { authMessages, passwordChange } from '#src/contract/auth.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText } from '#src/lib/trpc.ts'
import { useForm } from '#src/lib/useForm.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Field, TextInput } from '#src/ui/Field.tsx'
import { toast } from '#src/ui/Toast.tsx'
import styles from './Account.module.css'
import { changePassword } from './loginCalls.ts'

const empty = { currentPassword: '', newPassword: '', again: '' }

/** Contains the account's `email`, because password managers need it in the form. */
export function PasswordForm({ email }: { email: string }) {
  const { fields, refusal, setRefusal, refuse, validate, control, clear } = useForm(empty, passwordChange)
  const { mutate, isPending } = useMutation({
    mutationFn: changePassword,
    onSuccess: () => {
      clear()
      toast('Password changed')
    },
    onError: (error) => setRefusal({ text: errorText(error, authMessages.passwordFailed) }),
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    if (!validate(form)) return
    const { again, ...passwords } = fields
    if (passwords.newPassword === again) mutate(passwords)
    else refuse(form, authMessages.passwordsDiffer, 'again')
  }

  return (
    <form className={`panel ${styles.section}`} aria-labelledby="password" onSubmit={submit} noValidate>
      <h2 className={styles.title} id="password">
        Password
      </h2>
      {refusal && <Alert>{refusal.text}</Alert>}
      <input type="text" name="email" autoComplete="username" value={email} readOnly hidden />
      <Field label="Current password">
        <TextInput {...control('currentPassword')} type="password" autoComplete="current-password" />
      </Field>
      <Field label="New password" hint={`${authMessages.passwordShort}. Your other sessions will end.`}>
        <TextInput {...control('newPassword')} type="password" autoComplete="new-password" />
      </Field>
      <Field label="New password again">
        <TextInput {...control('again')} type="password" autoComplete="new-password" />
      </Field>
      <div className={styles.actions}>
        <Button variant="primary" type="submit" busy={isPending}>
          Change Password
        </Button>
      </div>
    </form>
  )
}
