import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { Apart } from './Apart.tsx'
import styles from './Chip.module.css'
import type { ControlProps } from './Field.tsx'
import { useEarlyChange } from './hydration.ts'

type ChipProps = { icon?: LucideIcon; count?: number; children: ReactNode } & ControlProps<'input', HTMLInputElement>

export function Chip({ icon: Icon, count, children, ...rest }: ChipProps) {
  return (
    <label className={styles.chip}>
      <input className="covering" type="radio" {...rest} ref={useEarlyChange(rest.onChange)} />
      {Icon && <Icon className="icon" />}
      {children} {count !== undefined && <span className="data">{count}</span>}
    </label>
  )
}

export function ChipLink(props: ComponentProps<'a'>) {
  return (
    <Apart>
      <a {...props} className={styles.chip} />
    </Apart>
  )
}
