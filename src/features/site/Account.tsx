import { LogOut } from 'lucide-react'
import type { AuthUser } from '#src/contract/auth.ts'
import { t } from '#src/i18n/t.ts'
import { Button } from '#src/ui/Button.tsx'
import { IconButton } from '#src/ui/IconButton.tsx'
import styles from './Account.module.css'

export type AccountProps = {
  user: AuthUser | null
  /** what waits in the moderators' queue; null for a member who moderates no board */
  waiting: number | null
  onLogout: () => void
  /** set only if the session has ended */
  onLogin?: (() => void) | undefined
  /** id of the drawer around it, which its buttons close */
  drawer?: string
}

/** Shows the user, or that the session has ended. */
export function Account({ user, waiting, onLogout, onLogin, drawer }: AccountProps) {
  const closing = { popoverTarget: drawer, popoverTargetAction: 'hide' } as const
  if (!user) {
    return (
      <div className={`spread ${styles.account}`}>
        <span className={`small ${styles.ended}`}>{t('site.sessionEnded')}</span>
        <Button size="small" onClick={onLogin} {...closing}>
          {t('ui.login')}
        </Button>
      </div>
    )
  }
  const isAdmin = user.role === 'admin'
  return (
    <div className={`spread ${styles.account}`}>
      <a className={`data ellipsis ${styles.mail}`} href="/account" title={t('site.accountOf', { email: user.email })}>
        {user.email}
      </a>
      {isAdmin || waiting !== null ? (
        <a
          className={styles.role}
          href={isAdmin ? '/admin' : '/admin/queue'}
          title={waiting ? t('ui.waiting', { count: waiting }) : t('ui.adminArea')}
          data-waiting={waiting || undefined}
        >
          {isAdmin ? t('site.roleAdmin') : t('site.roleModerator')}
        </a>
      ) : (
        <span className={styles.role}>{t('site.roleMember')}</span>
      )}
      <IconButton icon={LogOut} label={t('ui.logout')} onClick={onLogout} {...closing} />
    </div>
  )
}
