import type { ReactNode } from 'react'
import { CopyButton } from './CopyButton.tsx'
import styles from './CopyFacts.module.css'
import { cx } from './cx.ts'

/** A list of settings, such as those of a server. */
export const CopyFacts = ({ className, children }: { className?: string | undefined; children: ReactNode }) => (
  <dl className={cx('divided', styles.facts, className)}>{children}</dl>
)

type CopyFactProps = {
  label: string
  value?: string
  note?: string
  /** label of the button that copies the value */
  copyLabel?: string
  /** stands after the value */
  children?: ReactNode
}

export function CopyFact({ label, value = '', note, copyLabel, children }: CopyFactProps) {
  return (
    <div>
      <dt className="label">{label}</dt>
      <dd translate={copyLabel ? 'no' : undefined}>
        {value} {note && <span className={styles.note}>{note}</span>}
        {children}
      </dd>
      {copyLabel && (
        <dd>
          <CopyButton text={value} label={copyLabel} />
        </dd>
      )}
    </div>
  )
}
