import { LogOut } from 'lucide-react'
import type { AuthUser } from '#src/contract/user.ts'
import { Button } from '#src/ui/Button.tsx'
import { IconButton } from '#src/ui/IconButton.tsx'
import styles from './Account.module.css'

export type AccountProps = { user: AuthUser; onLogout: () => void }

export function Account({ user, onLogout }: AccountProps) {
  return (
    <div className={styles.account}>
      <a className={styles.mail} href="/account" title={`Account of ${user.email}`}>
        {user.email}
      </a>
      {user.role === 'admin' ? (
        <a className={styles.role} href="/admin" title="Admin area">
          admin
        </a>
      ) : (
        <span className={styles.role}>{user.role}</span>
      )}
      <IconButton icon={LogOut} label="Log out" onClick={onLogout} />
    </div>
  )
}

export function SessionEnded({ onLogin }: { onLogin: (() => void) | undefined }) {
  return (
    <div className={styles.account}>
      <span className={styles.ended}>Session ended</span>
      <Button size="small" onClick={onLogin}>
        Login
      </Button>
    </div>
  )
}
