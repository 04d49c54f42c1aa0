import { KeyRound } from 'lucide-react'
import { authMessages } from '#src/contract/auth.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Field, TextInput } from '#src/ui/Field.tsx'
import { useHydrated } from '#src/ui/hydration.ts'
import styles from './LoginForm.module.css'
import type { LoginState } from './useLogin.ts'

export function LoginFields({ state: { control, refusal, needsCode } }: { state: LoginState }) {
  return (
    <>
      {refusal && <Alert>{refusal.text}</Alert>}
      <Field label="Email">
        <TextInput {...control('email')} type="email" autoComplete="username" />
      </Field>
      <Field label="Password">
        <TextInput {...control('password')} type="password" autoComplete="current-password" />
      </Field>
      {needsCode && (
        <Field label="Login code" hint={`${authMessages.codeRequired}.`}>
          <TextInput {...control('code')} autoComplete="one-time-code" autoFocus />
        </Field>
      )}
    </>
  )
}

export function PasskeyButton({ state: { busy, logInWithPasskey } }: { state: LoginState }) {
  const hasPasskeys = useHydrated() && 'PublicKeyCredential' in window
  if (!hasPasskeys) return null
  return (
    <Button className={styles.passkey} disabled={busy} onClick={logInWithPasskey}>
      <KeyRound className="icon" />
      Use a passkey
    </Button>
  )
}
