import { TriangleAlert, X } from 'lucide-react'
import { type ReactNode, type Ref, useEffect, useRef } from 'react'
import { useRefusal } from '#src/i18n/refusals.ts'
import { t } from '#src/i18n/t.ts'
import { focusInView } from '#src/lib/focus.ts'
import styles from './Alert.module.css'
import { cx } from './cx.ts'
import { IconButton } from './IconButton.tsx'

type AlertProps = { children: ReactNode; onDismiss?: () => void; ref?: Ref<HTMLDivElement> }

/** A text is translated: it can be an error of the server. */
export function Alert({ children, onDismiss, ref }: AlertProps) {
  const text = useRefusal(typeof children === 'string' ? children : '')
  return (
    <div className={styles.alert} role="alert" ref={ref} tabIndex={ref ? -1 : undefined}>
      <TriangleAlert className={cx('icon', styles.mark)} />
      <div suppressHydrationWarning>{text || children}</div>
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
