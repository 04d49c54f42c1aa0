import { ArrowUpRight, Menu as MenuIcon, SunMoon } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { usePageContext } from 'vike-react/usePageContext'
import { t } from '#src/i18n/t.ts'
import { apart } from '#src/ui/Apart.tsx'
import { IconButton } from '#src/ui/IconButton.tsx'
import { Menu, MenuLink } from '#src/ui/Menu.tsx'
import { Scripted } from '#src/ui/Scripted.tsx'
import { useSite } from '#src/ui/site.ts'
import { Account, type AccountProps } from './Account.tsx'
import { ariaCurrent, listMainItems, listNewsItems, listToolItems, type NavItem } from './navigation.ts'
import { SiteDrawer } from './SiteDrawer.tsx'
import { Socials } from './Socials.tsx'
import styles from './TopBar.module.css'
import { Wordmark } from './Wordmark.tsx'

/** `children` are parts that only some visitors load. */
type TopBarProps = AccountProps & { children?: ReactNode }

/** Below 56.25rem, the drawer contains the links. */
export function TopBar({ children, ...account }: TopBarProps) {
  const { urlPathname } = usePageContext()
  const site = useSite()
  const { chatUrl } = site
  const drawerId = useId()

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
            {(account.user || account.onLogin) && (
              <div className={styles.account}>
                <Account {...account} />
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
        <SiteDrawer key={urlPathname} id={drawerId} {...account} />
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
