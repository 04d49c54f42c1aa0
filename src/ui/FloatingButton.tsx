import { Plus } from 'lucide-react'
import type { ComponentProps } from 'react'
import styles from './FloatingButton.module.css'

/** The round key above the player that makes something new; `label` says what. */
export function FloatingButton({ label, ...rest }: { label: string } & ComponentProps<'button'>) {
  return (
    <button {...rest} type="button" className={styles.button} aria-label={label} title={label}>
      <Plus className="icon" />
    </button>
  )
}
