import styles from './PasswordNotice.module.css'
import { useSession } from './session.ts'

/** Asks an admin to replace the generated password, or to add the second factor that the site requires. */
export function PasswordNotice() {
  const user = useSession()
  if (user?.generatedPassword)
    return (
      <p className={styles.notice} role="status">
        Your password was generated, and others may have seen it. <a href="/account">Change your password</a>
      </p>
    )
  if (user?.needsSecondFactor)
    return (
      <p className={styles.notice} role="status">
        Admins of this site need a second factor. <a href="/account">Add one</a> to use your rights.
      </p>
    )
  return null
}
