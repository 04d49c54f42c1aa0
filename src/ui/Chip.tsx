import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import styles from './Chip.module.css'

type ChipProps = { icon?: LucideIcon; count?: number; children: ReactNode } & ComponentProps<'input'>

/** One choice of a row of chips: a radio input with its `name` and `value`. */
export function Chip({ icon: Icon, count, children, ...rest }: ChipProps) {
  return (
    <label className={styles.chip}>
      <input type="radio" {...rest} />
      {Icon && <Icon className="icon" />}
      {children}
      {count !== undefined && <span className="data">{count}</span>}
    </label>
  )
}

/** One choice of a row of chips that are pages of their own; `aria-current` marks the chosen one. */
export function ChipLink(props: ComponentProps<'a'>) {
  return <a {...props} className={styles.chip} />
}
