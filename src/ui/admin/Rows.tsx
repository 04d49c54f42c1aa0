import type { ReactNode } from 'react'
import styles from './Rows.module.css'

/** A ruled list of items with facts and actions. */
export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={styles.rows} aria-label={label}>
      {children}
    </ul>
  )
}

type RowProps = {
  title: ReactNode
  /** a sentence or paragraph */
  text?: ReactNode
  /** short values, such as a role or a time */
  facts?: Fact[]
  actions?: ReactNode
  heading?: 'h2' | 'h3'
  children?: ReactNode
}

export function Row({ title, text, facts = [], actions, heading: Heading = 'h2', children }: RowProps) {
  return (
    <li className={styles.row}>
      <div className={styles.body}>
        <Heading className={styles.title}>{title}</Heading>
        {text && <p className={styles.text}>{text}</p>}
        {facts.length > 0 && <Facts facts={facts} />}
        {children}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </li>
  )
}

export type Fact = [label: string, value: ReactNode]

export function Facts({ facts }: { facts: Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
