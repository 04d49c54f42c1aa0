import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import styles from './EmptyState.module.css'
import { Ruler } from './Ruler.tsx'

/** What stands where nothing is yet: a text, and what one can do about it. */
export function EmptyState({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className={cx('panel', styles.empty)}>
      <Ruler tall className={styles.ruler} />
      <p className={styles.text}>{children}</p>
      {action && <div className={styles.action}>{action}</div>}
    </div>
  )
}
