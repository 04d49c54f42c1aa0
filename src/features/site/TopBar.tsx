import { ArrowUpRight, Menu as MenuIcon, SunMoon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { usePageContext } from 'vike-react/usePageContext'
import type { AuthUser } from '#src/contract/user.ts'
import { NOT_FETCHED } from '#src/ui/fetched.ts'
import { IconButton } from '#src/ui/IconButton.tsx'
import { Menu, MenuLink } from '#src/ui/Menu.tsx'
import { toast } from '#src/ui/Toast.tsx'
import { useLoaded } from '#src/ui/useLoaded.ts'
import { Account } from './Account.tsx'
import { currentness, mainItems, type NavItem, newsItems, toolItems } from './navigation.ts'
import { Socials } from './Socials.tsx'
import { useSite } from './site.tsx'
import styles from './TopBar.module.css'
import { toggleTheme } from './theme.ts'
import { Wordmark } from './Wordmark.tsx'

const importDrawer = () => import('./SiteDrawer.tsx').then((module) => module.SiteDrawer)
/** Fetches the drawer's code before it is asked for; a failure shows when it is. */
const preloadDrawer = () => void importDrawer().catch(() => undefined)

type TopBarProps = { user: AuthUser | null; onLogout: () => void }

/** The bar at the top of every page; below 900 px its links live in the drawer. */
export function TopBar({ user, onLogout }: TopBarProps) {
  const { urlPathname } = usePageContext()
  const { chatUrl } = useSite()
  const [drawerOpen, setDrawerOpen] = useState(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the change of page that closes the drawer
  useEffect(() => setDrawerOpen(false), [urlPathname])

  const close = () => setDrawerOpen(false)

  // most visits never open it
  const SiteDrawer = useLoaded(importDrawer, drawerOpen, () => {
    close()
    toast(NOT_FETCHED)
  })

  function leave() {
    close()
    onLogout()
  }

  return (
    <>
      <header className={styles.bar}>
        <div className={`wrap ${styles.row}`}>
          <Wordmark />
          <nav className={styles.nav} aria-label="Main">
            {mainItems.map(({ label, href }) => (
              <a key={href} className={styles.link} href={href} aria-current={currentness(href, urlPathname)}>
                {label}
              </a>
            ))}
            <a className={styles.link} href={chatUrl} target="_blank" rel="noopener">
              Chat
              <ArrowUpRight className="icon" />
              <span className="visually-hidden">(opens in a new tab)</span>
            </a>
            <LinkMenu label="News" items={newsItems} path={urlPathname} />
            <LinkMenu label="Tools" items={toolItems} path={urlPathname} />
          </nav>
          <div className={styles.end}>
            <div className={styles.socials}>
              <Socials />
            </div>
            <IconButton icon={SunMoon} label="Switch theme" onClick={toggleTheme} />
            {user && (
              <div className={styles.account}>
                <Account user={user} onLogout={onLogout} />
              </div>
            )}
            <IconButton
              icon={MenuIcon}
              label="Menu"
              className={styles.burger}
              onPointerEnter={preloadDrawer}
              onFocus={preloadDrawer}
              onClick={() => setDrawerOpen(true)}
            />
          </div>
        </div>
      </header>
      {SiteDrawer && <SiteDrawer open={drawerOpen} onClose={close} user={user} onLogout={leave} />}
    </>
  )
}

function LinkMenu({ label, items, path }: { label: string; items: NavItem[]; path: string }) {
  const current = items.some(({ href }) => currentness(href, path))
  return (
    <Menu label={label} buttonClass={styles.link} current={current}>
      {items.map((item) => (
        <MenuLink key={item.href} href={item.href} icon={item.icon} aria-current={currentness(item.href, path)}>
          {item.label}
        </MenuLink>
      ))}
    </Menu>
  )
}
