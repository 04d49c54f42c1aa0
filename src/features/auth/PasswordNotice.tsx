import styles from './PasswordNotice.module.css'
import { useSession } from './session.ts'

/** Asks the first admin for a password of their own, on every page until there is one. */
export function PasswordNotice() {
  if (!useSession()?.generatedPassword) return null
  return (
    <p className={styles.notice} role="status">
      Your password was made at the first start of the site, and its log may still show it.{' '}
      <a href="/account">Change your password</a>
    </p>
  )
}
