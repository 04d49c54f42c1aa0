import { KeyRound } from 'lucide-react'
import { t } from '#src/i18n/t.ts'
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
      <Field label={t('auth.email')}>
        <TextInput {...control('email')} type="email" autoComplete="username" />
      </Field>
      <Field label={t('auth.password')}>
        <TextInput {...control('password')} type="password" autoComplete="current-password" />
      </Field>
      {needsCode && (
        <Field label={t('auth.codeLabel')} hint={t('auth.codeHint')}>
          <TextInput {...control('code')} autoComplete="one-time-code" autoFocus />
        </Field>
      )}
    </>
  )
}

export function PasskeyButton({ state: { busy, logInWithPasskey } }: { state: LoginState }) {
  // Browsers refuse passkeys at IP addresses.
  const hasPasskeys = useHydrated() && 'PublicKeyCredential' in window && !/^(?:[\d.]+|\[.+\])$/.test(location.hostname)
  if (!hasPasskeys) return null
  return (
    <Button className={styles.passkey} disabled={busy} onClick={logInWithPasskey}>
      <KeyRound className="icon" />
      {t('auth.usePasskey')}
    </Button>
  )
}
