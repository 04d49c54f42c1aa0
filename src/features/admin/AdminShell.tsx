import { type ReactNode, useEffect, useRef } from 'react'
import type { AuthUser } from '#src/contract/auth.ts'
import { t } from '#src/i18n/t.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { errorCode } from '#src/lib/trpc.ts'
import { QueryResult } from '#src/ui/admin/QueryResult.tsx'
import { ButtonLink } from '#src/ui/Button.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { useHydrated } from '#src/ui/hydration.ts'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { Scripted } from '#src/ui/Scripted.tsx'
import styles from './AdminShell.module.css'
import { findSection, listSections, QUEUE_PATH } from './sections.ts'

type AdminShellProps = {
  path: string
  user: AuthUser | null
  /** how many items wait in the queue */
  waiting: number
  children: ReactNode
}

/**
 * Surrounds every page of the admin area. The HTML contains only the section's title, the same for every visitor. The
 * browser adds the rest for users with the right role; the server checks the role of each call.
 */
export function AdminShell({ path, user, waiting, children }: AdminShellProps) {
  const section = findSection(path)
  const isHydrated = useHydrated()
  return (
    <div className="wrap">
      <PageHeader
        compact
        title={section?.label ?? t('admin.admin')}
        lead={section?.lead}
        trail={[{ label: t('admin.admin') }]}
      />
      {!isHydrated ? (
        <>
          <Scripted>
            <p className={`hint ${styles.waiting}`}>{t('ui.loading')}</p>
          </Scripted>
          <noscript>
            <p className={`hint ${styles.waiting}`}>{t('admin.needsScript')}</p>
          </noscript>
        </>
      ) : user ? (
        <Members key={user.email} path={path} user={user} waiting={waiting}>
          {children}
        </Members>
      ) : (
        <EmptyState
          action={
            <ButtonLink variant="primary" href={`/login?next=${path}`}>
              {t('ui.login')}
            </ButtonLink>
          }
        >
          {t('admin.loginNeeded')}
        </EmptyState>
      )}
    </div>
  )
}

function Members({ path, user, waiting, children }: AdminShellProps & { user: AuthUser }) {
  const query = usePrivateQuery(['moderation', user.email, user.role], (client) => client.auth.moderation.query())
  if (query.error && errorCode(query.error) === 'FORBIDDEN') {
    return (
      <EmptyState action={<ButtonLink href="/account">{t('admin.toAccount')}</ButtonLink>}>
        {t('admin.forbidden')}
      </EmptyState>
    )
  }
  return (
    <QueryResult query={query} failed={t('admin.areaFailed')}>
      {({ boards }) => (
        <Sections path={path} waiting={waiting} isAdmin={boards === null}>
          {children}
        </Sections>
      )}
    </QueryResult>
  )
}

type SectionsProps = Omit<AdminShellProps, 'user'> & { isAdmin: boolean }

function Sections({ path, waiting, isAdmin, children }: SectionsProps) {
  const nav = useRef<HTMLUListElement>(null)
  const visible = listSections().filter(({ forModerators }) => isAdmin || forModerators)
  // On phones, the list scrolls sideways.
  useEffect(() => {
    const link = nav.current?.querySelector(`[href="${path}"]`)?.getBoundingClientRect()
    if (link) nav.current?.scrollBy({ left: link.left + link.width / 2 - innerWidth / 2 })
  }, [path])
  return (
    <div className={styles.sections}>
      <nav aria-label={t('admin.admin')}>
        <ul ref={nav} className={styles.nav}>
          {visible.map(({ label, href }) => (
            <li key={href}>
              <a
                className={styles.link}
                href={href}
                aria-current={href === path ? 'page' : undefined}
                {...(href === QUEUE_PATH &&
                  waiting > 0 && { 'data-waiting': waiting, title: t('ui.waiting', { count: waiting }) })}
              >
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div className={styles.content}>
        {visible.some(({ href }) => href === path) ? (
          children
        ) : (
          <EmptyState action={visible[0] && <ButtonLink href={visible[0].href}>{visible[0].label}</ButtonLink>}>
            {t('admin.adminsOnly')}
          </EmptyState>
        )}
      </div>
    </div>
  )
}
