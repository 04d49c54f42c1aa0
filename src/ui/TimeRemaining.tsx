import { Clock } from 'lucide-react'
import { useEffect, useState } from 'react'
import { t } from '#src/i18n/t.ts'
import styles from './Tag.module.css'

const MINUTE = 60_000

/** Returns 'Xh Ym remaining', 'Ym remaining' under an hour, or 'Expired'. */
function remainingText(expiresAt: number, now: number): string {
  if (expiresAt <= now) return t('ui.expired')
  const minutes = Math.floor((expiresAt - now) / MINUTE)
  return minutes < 60
    ? t('ui.remainingMinutes', { minutes })
    : t('ui.remainingHours', { hours: Math.floor(minutes / 60), minutes: minutes % 60 })
}

/**
 * Shows the remaining time by the clock of the server, then 'Expired': that of the visitor may be wrong.
 * @param now the server's time when this is first shown, so that hydration renders the same text
 */
export function TimeRemaining({ expiresAt, now }: { expiresAt: Date; now: Date }) {
  const expiry = expiresAt.getTime()
  const [at, setAt] = useState(now.getTime())
  const [ahead] = useState(() => Date.now() - now.getTime())

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const tick = () => {
      const present = Date.now() - ahead
      setAt(present)
      if (present < expiry) timer = setTimeout(tick, ((expiry - present) % MINUTE) + 50)
    }
    tick()
    return () => clearTimeout(timer)
  }, [expiry, ahead])

  return (
    <span className={styles.tag} data-expired={at >= expiry}>
      <Clock className="icon icon-s" />
      {remainingText(expiry, at)}
    </span>
  )
}
