import { LogOut } from 'lucide-react'
import type { AuthUser } from '#src/contract/auth.ts'
import { t } from '#src/i18n/t.ts'
import { Button } from '#src/ui/Button.tsx'
import { IconButton } from '#src/ui/IconButton.tsx'
import { WaitingCount } from '#src/ui/WaitingCount.tsx'
import styles from './Account.module.css'

export type AccountProps = {
  user: AuthUser
  /** what waits in the moderators' queue; null for a member who moderates no board */
  waiting: number | null
  onLogout: () => void
}

export function Account({ user, waiting, onLogout }: AccountProps) {
  return (
    <div className={styles.account}>
      <a className={styles.mail} href="/account" title={t('site.accountOf', { email: user.email })}>
        {user.email}
      </a>
      {user.role === 'admin' ? (
        <a className={styles.role} href="/admin" title={t('ui.adminArea')}>
          {t('site.roleAdmin')}
          <WaitingCount count={waiting ?? 0} />
        </a>
      ) : waiting !== null ? (
        <a className={styles.role} href="/admin/queue" title={t('site.queue')}>
          {t('site.roleModerator')}
          <WaitingCount count={waiting} />
        </a>
      ) : (
        <span className={styles.role}>{t('site.roleMember')}</span>
      )}
      <IconButton icon={LogOut} label={t('ui.logout')} onClick={onLogout} />
    </div>
  )
}

export function SessionEnded({ onLogin }: { onLogin: (() => void) | undefined }) {
  return (
    <div className={styles.account}>
      <span className={styles.ended}>{t('site.sessionEnded')}</span>
      <Button size="small" onClick={onLogin}>
        {t('ui.login')}
      </Button>
    </div>
  )
}
