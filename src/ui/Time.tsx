import { useNow } from './clock.ts'
import { localDateTime, relativeTime, utcDate, utcDateTime } from './time.ts'

type TimeProps = { date: Date | string; className?: string }

/** An instant: dd/mm/yyyy HH:MM in UTC in the first render, then in the reader's own zone. */
export function Time({ date, className }: TimeProps) {
  const now = useNow()
  const instant = new Date(date)
  return (
    <time
      className={className}
      dateTime={instant.toISOString()}
      title={now === null ? undefined : `${utcDateTime(instant)} UTC`}
    >
      {now === null ? utcDateTime(instant) : localDateTime(instant, now)}
    </time>
  )
}

/** How long ago: a UTC date in the first render, then '6 min ago'. */
export function RelativeTime({ date }: TimeProps) {
  const now = useNow()
  const instant = new Date(date)
  return (
    <time dateTime={instant.toISOString()} title={now === null ? undefined : `${utcDateTime(instant)} UTC`}>
      {now === null ? utcDate(instant) : relativeTime(instant, now)}
    </time>
  )
}
