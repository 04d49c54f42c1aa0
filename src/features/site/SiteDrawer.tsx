import { ChevronDown, Hash, LogIn, X } from 'lucide-react'
import { type FocusEvent, type ReactNode, type ToggleEvent, useEffect, useRef } from 'react'
import { usePageContext } from 'vike-react/usePageContext'
import { t } from '#src/i18n/t.ts'
import { IconButton } from '#src/ui/IconButton.tsx'
import { MenuLink, useOnceOpened } from '#src/ui/Menu.tsx'
import { useSite } from '#src/ui/site.ts'
import { Account, type AccountProps } from './Account.tsx'
import { ariaCurrent, listMainItems, listNewsItems, listToolItems, type NavItem } from './navigation.ts'
import styles from './SiteDrawer.module.css'
import { Socials } from './Socials.tsx'
import { Wordmark } from './Wordmark.tsx'

export function SiteDrawer({ id, ...account }: AccountProps & { id: string }) {
  const { urlPathname } = usePageContext()
  const site = useSite()
  const { chatUrl } = site

  const link = ({ label, href, icon }: NavItem) => (
    <MenuLink key={href} href={href} icon={icon} aria-current={ariaCurrent(href, urlPathname)}>
      {label}
    </MenuLink>
  )
  return (
    <Drawer id={id} label={t('site.menu')}>
      <div className={`spread ${styles.head}`}>
        <Wordmark />
        <IconButton native icon={X} label={t('site.closeMenu')} popoverTarget={id} popoverTargetAction="hide" />
      </div>
      <nav aria-label={t('site.mainNavSmall')}>
        <DrawerGroup>
          {listMainItems().map(link)}
          {chatUrl && (
            <MenuLink href={chatUrl} icon={Hash} target="_blank" rel="noopener">
              {t('site.chat')}
              <span className="visually-hidden">{` ${t('ui.newTab')}`}</span>
            </MenuLink>
          )}
        </DrawerGroup>
        <DrawerFold label={t('site.news')}>{listNewsItems(site).map(link)}</DrawerFold>
        <DrawerFold label={t('site.tools')}>{listToolItems().map(link)}</DrawerFold>
      </nav>
      <DrawerGroup>
        {account.user || account.onLogin ? (
          <Account {...account} drawer={id} />
        ) : (
          link({ label: t('ui.login'), href: '/login', icon: LogIn })
        )}
      </DrawerGroup>
      <DrawerGroup>
        <div className="cluster">
          <Socials />
        </div>
      </DrawerGroup>
    </Drawer>
  )
}

/** Closes the drawer when the keyboard focus leaves it. */
function closeOnLeave({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) {
  if (relatedTarget && !currentTarget.contains(relatedTarget)) currentTarget.hidePopover?.()
}

/** Browsers without popovers do not know the pseudo-class. */
const isOpen = (drawer: HTMLElement) => 'popover' in drawer && drawer.matches(':popover-open')

/** Makes Back close the drawer. */
async function addLayer(drawer: HTMLElement, removeLayer: { current: () => void }) {
  const { addOverlay, blockDoubleTap } = await import('#src/ui/overlayHistory.ts')
  if (!isOpen(drawer)) return
  removeLayer.current()
  drawer.addEventListener('click', blockDoubleTap, true)
  removeLayer.current = addOverlay({ close: () => drawer.hidePopover(), isBusy: () => false })
}

type DrawerProps = { id: string; label: string; children: ReactNode }

/** Renders a sheet at the right edge. Buttons with `popoverTarget={id}` toggle the sheet, even without scripts. */
function Drawer({ id, label, children }: DrawerProps) {
  const removeLayer = useRef(() => {})

  // Visitors can open it before hydration.
  useEffect(() => {
    const drawer = document.getElementById(id)
    if (drawer && isOpen(drawer)) void addLayer(drawer, removeLayer).catch(() => undefined)
  }, [id])

  async function syncOverlay({ target, currentTarget: drawer, newState }: ToggleEvent<HTMLElement>) {
    // The groups in the drawer fire this event, too, and React passes it on.
    if (target !== drawer) return
    removeLayer.current()
    if (newState === 'open') await addLayer(drawer, removeLayer)
  }

  return (
    <dialog
      id={id}
      className={styles.drawer}
      popover="auto"
      aria-label={label}
      onBlur={closeOnLeave}
      onToggle={(event) => void syncOverlay(event).catch(() => undefined)}
      {...useOnceOpened(children)}
    />
  )
}

function DrawerGroup({ children }: { children: ReactNode }) {
  return <div className={styles.group}>{children}</div>
}

function DrawerFold({ label, children }: { label: string; children: ReactNode }) {
  return (
    <details className={`accordion ${styles.group}`} open>
      <summary className={`spread ${styles.summary}`}>
        <span className="label">{label}</span>
        <ChevronDown className="icon icon-s chevron" />
      </summary>
      {children}
    </details>
  )
}
