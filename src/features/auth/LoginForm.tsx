import { navigate } from 'vike/client/router'
import { Button } from '#src/ui/Button.tsx'
import { LoginFields } from './LoginFields.tsx'
import styles from './LoginForm.module.css'
import { useLogin } from './useLogin.ts'

/** The login of its own page; leads to the boards. */
export function LoginForm() {
  const state = useLogin(() => void navigate('/dtpchan'))
  return (
    // 'post': sent before any script has run, a password must not end up in the address
    <form method="post" className={`panel ${styles.form}`} onSubmit={state.submit} noValidate>
      <LoginFields state={state} />
      <Button className={styles.submit} variant="primary" type="submit" busy={state.busy}>
        Login
      </Button>
    </form>
  )
}
