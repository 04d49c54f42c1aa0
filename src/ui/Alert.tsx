import { TriangleAlert, X } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './Alert.module.css'
import { cx } from './cx.ts'
import { IconButton } from './IconButton.tsx'

export function Alert({ children, onDismiss }: { children: ReactNode; onDismiss?: () => void }) {
  return (
    <div className={styles.alert} role="alert">
      <TriangleAlert className={cx('icon', styles.mark)} />
      <div>{children}</div>
      {onDismiss && <IconButton icon={X} label="Dismiss" className={styles.dismiss} onClick={onDismiss} />}
    </div>
  )
}
