import { t } from '#src/i18n/t.ts'
import { Button } from '#src/ui/Button.tsx'
import { Scripted } from '#src/ui/Scripted.tsx'
import { LoginFields, PasskeyButton } from './LoginFields.tsx'
import styles from './LoginForm.module.css'
import { useLogin } from './useLogin.ts'

export function LoginForm() {
  const state = useLogin()
  return (
    <Scripted>
      {/* 'post' keeps the password out of the URL if a password manager submits the form before hydration. */}
      <form method="post" className={`panel ${styles.form}`} onSubmit={state.submit} noValidate>
        <LoginFields state={state} />
        <div className={styles.actions}>
          <Button className={styles.submit} variant="primary" type="submit" busy={state.busy}>
            {t('ui.login')}
          </Button>
          <PasskeyButton state={state} />
        </div>
      </form>
    </Scripted>
  )
}
