import { ChevronDown } from 'lucide-react'
import { type FocusEvent, type ReactNode, type ToggleEvent, useRef } from 'react'
import styles from './Drawer.module.css'

/** Closes the drawer when the keyboard focus leaves it. */
function closeOnLeave({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) {
  if (relatedTarget && !currentTarget.contains(relatedTarget)) currentTarget.hidePopover()
}

type DrawerProps = { id: string; label: string; children: ReactNode }

/** Renders a sheet at the right edge. Buttons with `popoverTarget={id}` toggle the sheet, even without scripts. */
export function Drawer({ id, label, children }: DrawerProps) {
  const removeLayer = useRef(() => {})

  async function syncOverlay({ currentTarget: drawer, newState }: ToggleEvent<HTMLElement>) {
    removeLayer.current()
    if (newState === 'closed') return
    const { addOverlay, blockDoubleTap } = await import('./overlayHistory.ts')
    if (!drawer.matches(':popover-open')) return
    drawer.addEventListener('click', blockDoubleTap, true)
    removeLayer.current = addOverlay({ close: () => drawer.hidePopover(), isBusy: () => false })
  }

  return (
    <dialog
      id={id}
      className={styles.drawer}
      popover="auto"
      aria-label={label}
      onBlur={closeOnLeave}
      onToggle={(event) => void syncOverlay(event).catch(() => undefined)}
    >
      {children}
    </dialog>
  )
}

export function DrawerGroup({ children }: { children: ReactNode }) {
  return <div className={styles.group}>{children}</div>
}

export function DrawerFold({ label, children }: { label: string; children: ReactNode }) {
  return (
    <details className={`accordion ${styles.group}`} open>
      <summary className={styles.summary}>
        <span className="label">{label}</span>
        <ChevronDown className="icon icon-s" />
      </summary>
      {children}
    </details>
  )
}
