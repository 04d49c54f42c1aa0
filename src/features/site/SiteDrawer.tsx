import { Hash, LogIn, X } from 'lucide-react'
import { usePageContext } from 'vike-react/usePageContext'
import type { AuthUser } from '#src/contract/user.ts'
import { Drawer, DrawerFold, DrawerGroup } from '#src/ui/Drawer.tsx'
import { IconButton } from '#src/ui/IconButton.tsx'
import { MenuLink } from '#src/ui/Menu.tsx'
import { useSite } from '#src/ui/site.tsx'
import { Account, SessionEnded } from './Account.tsx'
import { ariaCurrent, listNewsItems, mainItems, type NavItem, toolItems } from './navigation.ts'
import styles from './SiteDrawer.module.css'
import { Socials } from './Socials.tsx'
import { Wordmark } from './Wordmark.tsx'

type SiteDrawerProps = {
  id: string
  user: AuthUser | null
  onLogout: () => void
  /** set only if the session has ended */
  onLogin: (() => void) | undefined
}

export function SiteDrawer({ id, user, onLogout, onLogin }: SiteDrawerProps) {
  const { urlPathname } = usePageContext()
  const site = useSite()
  const { chatUrl } = site

  const link = ({ label, href, icon }: NavItem) => (
    <MenuLink key={href} href={href} icon={icon} aria-current={ariaCurrent(href, urlPathname)}>
      {label}
    </MenuLink>
  )
  return (
    <Drawer id={id} label="Menu">
      <div className={styles.head}>
        <Wordmark />
        <IconButton native icon={X} label="Close menu" popoverTarget={id} popoverTargetAction="hide" />
      </div>
      <nav aria-label="Main, small screen">
        <DrawerGroup>
          {mainItems.map(link)}
          {chatUrl && (
            <MenuLink href={chatUrl} icon={Hash} target="_blank" rel="noopener">
              Chat
              <span className="visually-hidden">(opens in a new tab)</span>
            </MenuLink>
          )}
        </DrawerGroup>
        <DrawerFold label="News">{listNewsItems(site).map(link)}</DrawerFold>
        <DrawerFold label="Tools">{toolItems.map(link)}</DrawerFold>
      </nav>
      <DrawerGroup>
        {user ? (
          <Account user={user} onLogout={onLogout} />
        ) : onLogin ? (
          <SessionEnded onLogin={onLogin} />
        ) : (
          link({ label: 'Login', href: '/login', icon: LogIn })
        )}
      </DrawerGroup>
      <DrawerGroup>
        <div className={styles.socials}>
          <Socials />
        </div>
      </DrawerGroup>
    </Drawer>
  )
}
