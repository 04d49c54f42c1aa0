import { Clock } from 'lucide-react'
import { useEffect, useState } from 'react'
import { remainingText } from '#src/contract/expiry.ts'
import styles from './TimeRemaining.module.css'

const MINUTE = 60_000

/**
 * Shows the remaining time, then 'Expired'.
 * @param now when the server rendered the page, so that hydration renders the same text
 */
export function TimeRemaining({ expiresAt, now }: { expiresAt: Date; now: Date }) {
  const expiry = expiresAt.getTime()
  const [at, setAt] = useState(now.getTime())

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const tick = () => {
      const present = Date.now()
      setAt(present)
      if (present < expiry) timer = setTimeout(tick, ((expiry - present) % MINUTE) + 50)
    }
    tick()
    return () => clearTimeout(timer)
  }, [expiry])

  return (
    <span className={styles.chip} data-expired={at >= expiry || undefined}>
      <Clock className="icon icon-s" />
      {remainingText(expiry, at)}
    </span>
  )
}
