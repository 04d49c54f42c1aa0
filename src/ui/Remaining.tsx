import { Clock } from 'lucide-react'
import { useEffect, useState } from 'react'
import { remainingText } from '#src/contract/expiry.ts'
import styles from './Remaining.module.css'

const MINUTE = 60_000

/**
 * Chip with the time that remains, going on by itself until 'Expired'.
 * @param now the server's clock when the page was made: the first render here must say the same
 */
export function Remaining({ expiresAt, now }: { expiresAt: Date; now: Date }) {
  const expiry = expiresAt.getTime()
  const [at, setAt] = useState(now.getTime())

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const tick = () => {
      const present = Date.now()
      setAt(present)
      // to the next change of the text
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
