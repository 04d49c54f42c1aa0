import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import styles from './EmptyState.module.css'
import { Ruler } from './Ruler.tsx'

type EmptyStateProps = {
  /** says that there is nothing */
  children: ReactNode
  /** what will be here, and when */
  hint?: ReactNode
  /** what works now */
  action?: ReactNode
}

export function EmptyState({ children, hint, action }: EmptyStateProps) {
  return (
    <div className={cx('panel', styles.empty)}>
      <Ruler tall className={styles.ruler} />
      <p className={cx('h3', styles.text)}>{children}</p>
      {hint && <p className={styles.hint}>{hint}</p>}
      {action && <div className={`cluster ${styles.action}`}>{action}</div>}
    </div>
  )
}
