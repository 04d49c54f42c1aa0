import { useMemo } from 'react'
import { isoSeconds, localDateTime, relativeTime, utcDate, utcDateTime } from '#src/lib/formatTime.ts'
import { useNow } from './useNow.ts'

type TimeProps = { date: Date | string; className?: string }

/** Shows dd/mm/yyyy HH:MM in UTC in the first render, then the visitor's local time. */
export function Time({ date, className }: TimeProps) {
  const now = useNow()
  // The time is deferred, so a thread renders all its times twice after hydration, the first time without a change.
  return useMemo(() => {
    const instant = new Date(date)
    const utc = utcDateTime(instant)
    return (
      <time className={className} dateTime={isoSeconds(instant)} title={now === null ? undefined : `${utc} UTC`}>
        {now === null ? (
          <>
            {utc}
            {/* Only visitors without script see the zone, so that nothing moves when the local time takes its place. */}
            <span className="zone"> UTC</span>
          </>
        ) : (
          localDateTime(instant, now)
        )}
      </time>
    )
  }, [date, className, now])
}

/** Shows a UTC date in the first render, then a relative time such as '6 min ago', or 'in 6 min' for plans. */
export function RelativeTime({ date, isAhead }: TimeProps & { isAhead?: boolean }) {
  const now = useNow()
  const instant = new Date(date)
  return (
    <time dateTime={isoSeconds(instant)} title={now === null ? undefined : `${utcDateTime(instant)} UTC`}>
      {now === null ? utcDate(instant) : relativeTime(instant, now, isAhead)}
    </time>
  )
}
