import { KeyRound } from 'lucide-react'
import { t } from '#src/i18n/t.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Field, TextInput } from '#src/ui/Field.tsx'
import { useHydrated } from '#src/ui/hydration.ts'
import { Scripted } from '#src/ui/Scripted.tsx'
import styles from './LoginForm.module.css'
import { type LoginState, useLogin } from './useLogin.ts'

export function LoginForm() {
  const state = useLogin()
  return (
    <Scripted>
      {/* 'post' keeps the password out of the URL if a password manager submits the form before hydration. */}
      <form method="post" className={`panel form ${styles.form}`} onSubmit={state.submit} noValidate>
        <LoginFields state={state} />
        <div className="cluster">
          <Button className={styles.submit} variant="primary" type="submit" busy={state.busy}>
            {t('ui.login')}
          </Button>
          <PasskeyButton state={state} />
        </div>
      </form>
    </Scripted>
  )
}

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
