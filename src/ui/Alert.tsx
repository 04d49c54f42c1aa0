import { TriangleAlert, X } from 'lucide-react'
import { type ReactNode, type Ref, useEffect, useRef } from 'react'
import { t } from '#src/i18n/t.ts'
import { focusInView } from '#src/lib/focus.ts'
import styles from './Alert.module.css'
import { cx } from './cx.ts'
import { IconButton } from './IconButton.tsx'

type AlertProps = { children: ReactNode; onDismiss?: () => void; ref?: Ref<HTMLDivElement> }

export function Alert({ children, onDismiss, ref }: AlertProps) {
  return (
    <div className={styles.alert} role="alert" ref={ref} tabIndex={ref ? -1 : undefined}>
      <TriangleAlert className={cx('icon', styles.mark)} />
      <div>{children}</div>
      {onDismiss && <IconButton icon={X} label={t('ui.dismiss')} className={styles.dismiss} onClick={onDismiss} />}
    </div>
  )
}

/** Returns the ref of an alert that takes the focus with every new error, because it can be outside the screen. */
export function useAlertFocus(error: object | null) {
  const alert = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (error) focusInView(alert.current)
  }, [error])
  return alert
}
