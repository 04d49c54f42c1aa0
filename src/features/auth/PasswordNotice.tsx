import styles from './PasswordNotice.module.css'
import { useSession } from './session.ts'

/** Asks the first admin to replace the generated password. */
export function PasswordNotice() {
  if (!useSession()?.generatedPassword) return null
  return (
    <p className={styles.notice} role="status">
      Your password was made at the first start of the site, and its log may still show it.{' '}
      <a href="/account">Change your password</a>
    </p>
  )
}
