import { isoSeconds, localDateTime, relativeTime, utcDate, utcDateTime } from './formatTime.ts'
import { useNow } from './useNow.ts'

type TimeProps = { date: Date | string; className?: string }

/**
 * Shows dd/mm/yyyy HH:MM in UTC in the first render, then the visitor's local time.
 * @param withZone adds 'UTC' in the first render, for pages that visitors without script see
 */
export function Time({ date, className, withZone }: TimeProps & { withZone?: boolean }) {
  const now = useNow()
  const instant = new Date(date)
  return (
    <time
      className={className}
      dateTime={isoSeconds(instant)}
      title={now === null ? undefined : `${utcDateTime(instant)} UTC`}
    >
      {now === null ? `${utcDateTime(instant)}${withZone ? ' UTC' : ''}` : localDateTime(instant, now)}
    </time>
  )
}

/** Shows a UTC date in the first render, then a relative time such as '6 min ago'. */
export function RelativeTime({ date }: TimeProps) {
  const now = useNow()
  const instant = new Date(date)
  return (
    <time dateTime={isoSeconds(instant)} title={now === null ? undefined : `${utcDateTime(instant)} UTC`}>
      {now === null ? utcDate(instant) : relativeTime(instant, now)}
    </time>
  )
}
