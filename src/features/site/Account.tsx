import { LogOut } from 'lucide-react'
import type { AuthUser } from '#src/contract/user.ts'
import { IconButton } from '#src/ui/IconButton.tsx'
import styles from './Account.module.css'

export type AccountProps = { user: AuthUser; onLogout: () => void }

/** Who is logged in, and the way out. */
export function Account({ user, onLogout }: AccountProps) {
  return (
    <div className={styles.account}>
      <span className={styles.mail} title={user.email}>
        {user.email}
      </span>
      <span className={styles.role}>{user.role}</span>
      <IconButton icon={LogOut} label="Log out" onClick={onLogout} />
    </div>
  )
}
