import { ChevronDown, type LucideIcon } from 'lucide-react'
import { type ComponentProps, type FocusEvent, type MouseEvent, type ReactNode, type ToggleEvent, useId } from 'react'
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

/** Closes the list when the keyboard focus leaves the menu. */
function closeOnLeave({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) {
  if (relatedTarget && !currentTarget.parentElement?.contains(relatedTarget)) currentTarget.hidePopover()
}

type MenuProps = { label: string; buttonClass?: string; current?: boolean; children: ReactNode }

/** Renders a button that opens a list of links, even without scripts. */
export function Menu({ label, buttonClass, current, children }: MenuProps) {
  const id = useId()

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
        onBeforeToggle={place}
        onBlur={closeOnLeave}
      >
        {children}
      </nav>
    </div>
  )
}

type MenuLinkProps = { icon: LucideIcon; href: string } & ComponentProps<'a'>

export function MenuLink({ icon: Icon, href, children, onClick, ...rest }: MenuLinkProps) {
  function close(event: MouseEvent<HTMLAnchorElement>) {
    event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
    onClick?.(event)
  }
  return (
    <Apart>
      <a {...rest} href={href} className={styles.item} onClick={close}>
        <Icon className="icon accent" />
        {children}
      </a>
    </Apart>
  )
}
