import { authMessages } from '#src/contract/auth.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Field, TextInput } from '#src/ui/Field.tsx'
import styles from './LoginForm.module.css'
import { type PasswordField, usePasswordChange } from './usePasswordChange.ts'

/** Password managers need the `email` of the account in the form. */
export function PasswordForm({ email }: { email: string }) {
  const { texts, setText, refusal, busy, submit } = usePasswordChange()

  const input = (name: PasswordField, autoComplete: string) => (
    <TextInput
      type="password"
      name={name}
      autoComplete={autoComplete}
      required
      aria-invalid={refusal?.field === name || undefined}
      value={texts[name]}
      onChange={(event) => setText(name, event.target.value)}
    />
  )
  return (
    <form className={`panel ${styles.form}`} onSubmit={submit} noValidate>
      {refusal && <Alert>{refusal.text}</Alert>}
      <input type="text" name="email" autoComplete="username" value={email} readOnly hidden />
      <Field label="Current password">{input('currentPassword', 'current-password')}</Field>
      <Field label="New password" hint={`${authMessages.passwordShort}. Your other sessions will end.`}>
        {input('newPassword', 'new-password')}
      </Field>
      <Field label="New password again">{input('again', 'new-password')}</Field>
      <Button className={styles.submit} variant="primary" type="submit" busy={busy}>
        Change Password
      </Button>
    </form>
  )
}
