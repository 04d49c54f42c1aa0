import { useEffect, useRef } from 'react'
import { utcDateTime } from '#src/ui/formatTime.ts'
import { useNow } from '#src/ui/useNow.ts'
import styles from './DayDial.module.css'

const DAY_MS = 86_400_000
/** After this fraction of the day, the label moves to the left of the needle to stay on the screen. */
const LATE_DAY_FRACTION = 0.7
const hourLabels = ['00:00', '03:00', '06:00', '09:00', '12:00', '15:00', '18:00', '21:00']

export function DayDial() {
  const needle = useRef<HTMLSpanElement>(null)
  const now = useNow()
  const dayFraction = now === null ? null : (now % DAY_MS) / DAY_MS

  useEffect(() => {
    if (dayFraction !== null) needle.current?.style.setProperty('--now', `${dayFraction * 100}%`)
  }, [dayFraction])

  return (
    <div className={styles.dial} aria-hidden="true">
      <div className={styles.track}>
        <span className={styles.rest} />
        {now !== null && dayFraction !== null && (
          <span className={styles.needle} ref={needle} data-late={dayFraction > LATE_DAY_FRACTION || undefined}>
            <span className="data">{utcDateTime(new Date(now)).slice(-5)} UTC</span>
          </span>
        )}
      </div>
      <ol className={styles.hours}>
        {hourLabels.map((hour) => (
          <li key={hour}>{hour}</li>
        ))}
      </ol>
    </div>
  )
}
