import { ChevronDown, type LucideIcon } from 'lucide-react'
import {
  type ComponentProps,
  type FocusEvent,
  type MouseEvent,
  type ReactNode,
  type ToggleEvent,
  useId,
  useState,
} from 'react'
import { Apart } from './Apart.tsx'
import { cx } from './cx.ts'
import styles from './Menu.module.css'

/** Positions the list in browsers without CSS anchor positioning. */
function place(event: ToggleEvent<HTMLElement>) {
  const list = event.currentTarget
  const button = list.previousElementSibling
  if (event.newState !== 'open' || !button) return
  const { left, bottom } = button.getBoundingClientRect()
  list.style.setProperty('--menu-left', `${left}px`)
  list.style.setProperty('--menu-top', `${bottom - 6}px`)
}

/** React leaves the HTML of the server as it is. */
const SERVER_HTML = { dangerouslySetInnerHTML: { __html: '' }, suppressHydrationWarning: true }

/**
 * Renders the links in a popover when it is opened for the first time, because most visitors open none. Until then, the
 * HTML of the server is in it, which hydration skips.
 * @returns props of the popover
 */
export function useOnceOpened(children: ReactNode) {
  const [wasOpened, setWasOpened] = useState(import.meta.env.SSR)
  return {
    // Visitors can open it before hydration, and browsers without popovers show it in its place.
    ref: (popover: HTMLElement | null) => {
      if (popover && (!('popover' in popover) || popover.matches(':popover-open'))) setWasOpened(true)
    },
    onBeforeToggle: () => setWasOpened(true),
    onClick: closeOnLink,
    ...(wasOpened ? { children } : SERVER_HTML),
  }
}

/** Closes a popover when a link in it is followed. */
function closeOnLink({ target, currentTarget }: MouseEvent<HTMLElement>) {
  if (target instanceof Element && target.closest('a')) currentTarget.hidePopover?.()
}

/** Closes the list when the keyboard focus leaves the menu. */
function closeOnLeave({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) {
  if (relatedTarget && !currentTarget.parentElement?.contains(relatedTarget)) currentTarget.hidePopover?.()
}

type MenuProps = { label: string; buttonClass?: string; current?: boolean; children: ReactNode }

/** Renders a button that opens a list of links, even without scripts. */
export function Menu({ label, buttonClass, current, children }: MenuProps) {
  const id = useId()
  const { onBeforeToggle, ...content } = useOnceOpened(children)

  return (
    <div className={styles.menu}>
      <button type="button" className={buttonClass} popoverTarget={id} data-current={current || undefined}>
        {label}
        <ChevronDown className="icon icon-s chevron" />
      </button>
      <nav
        id={id}
        className={cx('pop', styles.list)}
        popover="auto"
        aria-label={label}
        onBeforeToggle={(event) => {
          onBeforeToggle()
          place(event)
        }}
        onBlur={closeOnLeave}
        {...content}
      />
    </div>
  )
}

type MenuLinkProps = { icon: LucideIcon; href: string } & ComponentProps<'a'>

/** The HTML of the server has no icons: `useOnceOpened` renders the link again before it is seen. */
export const MenuLink = ({ icon: Icon, children, ...rest }: MenuLinkProps) => (
  <Apart>
    <a {...rest} className={styles.item}>
      {import.meta.env.SSR || <Icon className="icon accent" />}
      {children}
    </a>
  </Apart>
)
