import { ArrowUpRight, Menu as MenuIcon, SunMoon } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { usePageContext } from 'vike-react/usePageContext'
import type { AuthUser } from '#src/contract/auth.ts'
import { t } from '#src/i18n/t.ts'
import { apart } from '#src/ui/Apart.tsx'
import { IconButton } from '#src/ui/IconButton.tsx'
import { Menu, MenuLink } from '#src/ui/Menu.tsx'
import { Scripted } from '#src/ui/Scripted.tsx'
import { useSite } from '#src/ui/site.tsx'
import { Account, type AccountProps, SessionEnded } from './Account.tsx'
import { ariaCurrent, listMainItems, listNewsItems, listToolItems, type NavItem } from './navigation.ts'
import { SiteDrawer } from './SiteDrawer.tsx'
import { Socials } from './Socials.tsx'
import styles from './TopBar.module.css'
import { Wordmark } from './Wordmark.tsx'

type TopBarProps = {
  user: AuthUser | null
  waiting: AccountProps['waiting']
  onLogout: () => void
  /** set only if the session has ended */
  onLogin?: (() => void) | undefined
  /** parts that only some visitors load */
  children?: ReactNode
}

/** Below 900 px, the drawer contains the links. */
export function TopBar({ user, waiting, onLogout, onLogin, children }: TopBarProps) {
  const { urlPathname } = usePageContext()
  const site = useSite()
  const { chatUrl } = site
  const drawerId = useId()

  const closeDrawer = () => document.getElementById(drawerId)?.hidePopover()
  function closeAndLogout() {
    closeDrawer()
    onLogout()
  }
  function closeAndLogin() {
    closeDrawer()
    onLogin?.()
  }

  return (
    <>
      <header className={styles.bar}>
        <div className={`wrap ${styles.row}`}>
          <Wordmark />
          <nav className={styles.nav} aria-label={t('site.mainNav')}>
            {apart(
              listMainItems().map(({ label, href }) => (
                <a key={href} className={styles.link} href={href} aria-current={ariaCurrent(href, urlPathname)}>
                  {label}
                </a>
              )),
            )}
            {chatUrl && (
              <a className={styles.link} href={chatUrl} target="_blank" rel="noopener">
                {t('site.chat')}
                <ArrowUpRight className="icon" />
                <span className="visually-hidden">{` ${t('ui.newTab')}`}</span>
              </a>
            )}
            <LinkMenu label={t('site.news')} items={listNewsItems(site)} path={urlPathname} />
            <LinkMenu label={t('site.tools')} items={listToolItems()} path={urlPathname} />
          </nav>
          <div className={styles.end}>
            <div className={styles.socials}>
              <Socials />
            </div>
            {children}
            {/* pages/early.js handles the click, even before hydration. */}
            <IconButton native icon={SunMoon} label={t('site.switchTheme')} data-theme-switch="" />
            {(user || onLogin) && (
              <div className={styles.account}>
                {user ? (
                  <Account user={user} waiting={waiting} onLogout={onLogout} />
                ) : (
                  <SessionEnded onLogin={onLogin} />
                )}
              </div>
            )}
            <IconButton
              native
              icon={MenuIcon}
              label={t('site.menu')}
              className={styles.burger}
              popoverTarget={drawerId}
            />
          </div>
        </div>
      </header>
      {/* A new React key per page closes the drawer on navigation. */}
      <Scripted>
        <SiteDrawer
          key={urlPathname}
          id={drawerId}
          user={user}
          waiting={waiting}
          onLogout={closeAndLogout}
          onLogin={onLogin && closeAndLogin}
        />
      </Scripted>
    </>
  )
}

function LinkMenu({ label, items, path }: { label: string; items: NavItem[]; path: string }) {
  const current = items.some(({ href }) => ariaCurrent(href, path))
  return (
    <Menu label={label} buttonClass={styles.link} current={current}>
      {items.map((item) => (
        <MenuLink key={item.href} href={item.href} icon={item.icon} aria-current={ariaCurrent(item.href, path)}>
          {item.label}
        </MenuLink>
      ))}
    </Menu>
  )
}
