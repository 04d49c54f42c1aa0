import { type ReactNode, useEffect, useRef } from 'react'
import { authMessages } from '#src/contract/auth.ts'
import type { AuthUser } from '#src/contract/user.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { errorCode } from '#src/lib/trpc.ts'
import { QueryResult } from '#src/ui/admin/QueryResult.tsx'
import { ButtonLink } from '#src/ui/Button.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { useHydrated } from '#src/ui/hydration.ts'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import styles from './AdminShell.module.css'
import { adminSections, findSection } from './sections.ts'

type AdminShellProps = { path: string; user: AuthUser | null; children: ReactNode }

/**
 * Surrounds every page of the admin area. The HTML contains only the section's title, the same for every visitor. The
 * browser adds the rest for users with the right role; the server checks the role of each call.
 */
export function AdminShell({ path, user, children }: AdminShellProps) {
  const section = findSection(path)
  const isHydrated = useHydrated()
  return (
    <div className="wrap">
      <PageHeader title={section?.label ?? 'Admin'} lead={section?.lead} trail={[{ label: 'Admin' }]} />
      {!isHydrated ? (
        <p className={styles.waiting}>Loading…</p>
      ) : user ? (
        <Members key={user.email} path={path} user={user}>
          {children}
        </Members>
      ) : (
        <EmptyState
          action={
            <ButtonLink variant="primary" href={`/login?next=${path}`}>
              Login
            </ButtonLink>
          }
        >
          Log in as an admin or moderator to see this page.
        </EmptyState>
      )}
    </div>
  )
}

function Members({ path, user, children }: AdminShellProps & { user: AuthUser }) {
  const query = usePrivateQuery(['moderation', user.email, user.role], (client) => client.auth.moderation.query())
  if (query.error && errorCode(query.error) === 'FORBIDDEN') {
    return (
      <EmptyState action={<ButtonLink href="/account">To your account</ButtonLink>}>
        {authMessages.forbidden}: this area is for admins and moderators.
      </EmptyState>
    )
  }
  return (
    <QueryResult query={query} failed="Failed to load the admin area">
      {({ boards }) => (
        <Sections path={path} isAdmin={boards === null}>
          {children}
        </Sections>
      )}
    </QueryResult>
  )
}

function Sections({ path, isAdmin, children }: { path: string; isAdmin: boolean; children: ReactNode }) {
  const nav = useRef<HTMLUListElement>(null)
  const visible = adminSections.filter(({ forModerators }) => isAdmin || forModerators)
  // On phones, the list scrolls sideways.
  useEffect(() => {
    const link = nav.current?.querySelector<HTMLElement>(`[href="${path}"]`)
    if (link) nav.current?.scrollTo({ left: link.offsetLeft + link.offsetWidth / 2 - innerWidth / 2 })
  }, [path])
  return (
    <div className={styles.sections}>
      <nav aria-label="Admin">
        <ul ref={nav} className={styles.nav}>
          {visible.map(({ label, href }) => (
            <li key={href}>
              <a className={styles.link} href={href} aria-current={href === path ? 'page' : undefined}>
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
            Only admins may open this page.
          </EmptyState>
        )}
      </div>
    </div>
  )
}
