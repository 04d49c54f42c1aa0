import { type ComponentProps, createContext, type ReactNode, use, useId } from 'react'
import { Button } from '#src/ui/Button.tsx'
import styles from './Rows.module.css'

/** A ruled list of items with facts and actions. */
export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className="ruled" aria-label={label}>
      {children}
    </ul>
  )
}

const TitleId = createContext<string | undefined>(undefined)

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
  const titleId = useId()
  return (
    <li className={styles.row}>
      <div className={styles.body}>
        <Heading className={styles.title} id={titleId}>
          {title}
        </Heading>
        {text && <p className="small quiet">{text}</p>}
        {facts.length > 0 && <Facts facts={facts} />}
        {children}
      </div>
      {actions && (
        <TitleId value={titleId}>
          <div className={`cluster ${styles.actions}`}>{actions}</div>
        </TitleId>
      )}
    </li>
  )
}

/** A button of a row, which the row's title describes. */
export const RowButton = (props: ComponentProps<typeof Button>) => (
  <Button size="small" aria-describedby={use(TitleId)} {...props} />
)

export type Fact = [label: string, value: ReactNode]

export function Facts({ facts }: { facts: Fact[] }) {
  return (
    <dl className={`cluster ${styles.facts}`}>
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt className="label">{label}</dt>
          <dd className="data">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
