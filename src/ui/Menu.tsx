import { ChevronDown, type LucideIcon } from 'lucide-react'
import { type ComponentProps, type FocusEvent, type MouseEvent, type ReactNode, type ToggleEvent, useId } from 'react'
import { cx } from './cx.ts'
import styles from './Menu.module.css'

/** Where anchors are not known to the browser, the list is put under its button when it opens. */
function place(event: ToggleEvent<HTMLElement>) {
  const list = event.currentTarget
  const button = list.previousElementSibling
  if (event.newState !== 'open' || !button) return
  const { left, bottom } = button.getBoundingClientRect()
  list.style.setProperty('--menu-left', `${left}px`)
  list.style.setProperty('--menu-top', `${bottom - 6}px`)
}

/** The keyboard going on behind an open list leaves nothing over what it comes to. */
function leave({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) {
  if (relatedTarget && !currentTarget.parentElement?.contains(relatedTarget)) currentTarget.hidePopover()
}

type MenuProps = { label: string; buttonClass?: string; current?: boolean; children: ReactNode }

/** A button that opens a list of links; works before any script has run. `current`: the page shown is one of them. */
export function Menu({ label, buttonClass, current, children }: MenuProps) {
  const id = useId()

  return (
    <div className={styles.menu}>
      <button type="button" className={buttonClass} popoverTarget={id} data-current={current || undefined}>
        {label}
        <ChevronDown className={cx('icon icon-s', styles.chevron)} />
      </button>
      <nav id={id} className={styles.list} popover="auto" aria-label={label} onBeforeToggle={place} onBlur={leave}>
        {children}
      </nav>
    </div>
  )
}

type MenuLinkProps = { icon: LucideIcon; href: string } & ComponentProps<'a'>

/** One link of a menu or a drawer. */
export function MenuLink({ icon: Icon, href, children, onClick, ...rest }: MenuLinkProps) {
  function close(event: MouseEvent<HTMLAnchorElement>) {
    event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
    onClick?.(event)
  }
  return (
    <a {...rest} href={href} className={styles.item} onClick={close}>
      <Icon className="icon" />
      {children}
    </a>
  )
}
