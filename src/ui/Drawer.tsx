import { ChevronDown } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import styles from './Drawer.module.css'

type DrawerProps = { open: boolean; onClose: () => void; label: string; children: ReactNode }

/** A modal sheet at the right edge; Escape and a click beside it close it, and the focus goes back to its opener. */
export function Drawer({ open, onClose, label, children }: DrawerProps) {
  const ref = useRef<HTMLDialogElement>(null)

  useEffect(() => {
    const drawer = ref.current
    if (open && !drawer?.open) drawer?.showModal()
    if (!open && drawer?.open) drawer.close()
  }, [open])

  return (
    <dialog ref={ref} className={styles.drawer} aria-label={label} closedby="any" onClose={() => open && onClose()}>
      {children}
    </dialog>
  )
}

/** A part of a drawer, set off by a line. */
export function DrawerGroup({ children }: { children: ReactNode }) {
  return <div className={styles.group}>{children}</div>
}

/** A named part of a drawer that can be folded away. */
export function DrawerFold({ label, children }: { label: string; children: ReactNode }) {
  return (
    <details className={styles.group} open>
      <summary className={styles.summary}>
        <span className="label">{label}</span>
        <ChevronDown className="icon icon-s" />
      </summary>
      {children}
    </details>
  )
}
