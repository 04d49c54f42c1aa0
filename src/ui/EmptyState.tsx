import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import styles from './EmptyState.module.css'
import { Ruler } from './Ruler.tsx'

export function EmptyState({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className={cx('panel', styles.empty)}>
      <Ruler tall className={styles.ruler} />
      <p className={styles.text}>{children}</p>
      {action && <div className={styles.action}>{action}</div>}
    </div>
  )
}
