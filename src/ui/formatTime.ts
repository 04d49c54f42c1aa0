const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export const padTwo = (value: number) => String(value).padStart(2, '0')

export function utcDate(date: Date): string {
  return `${padTwo(date.getUTCDate())}/${padTwo(date.getUTCMonth() + 1)}/${date.getUTCFullYear()}`
}

/** Returns the time in UTC, in ISO 8601. Without milliseconds, which add 90 compressed bytes to a page of 250 posts. */
export const isoSeconds = (date: Date) => `${date.toISOString().slice(0, 19)}Z`

/** Returns dd/mm/yyyy HH:MM in UTC. */
export function utcDateTime(date: Date): string {
  return `${utcDate(date)} ${padTwo(date.getUTCHours())}:${padTwo(date.getUTCMinutes())}`
}

function localDate(date: Date): string {
  return `${padTwo(date.getDate())}/${padTwo(date.getMonth() + 1)}/${date.getFullYear()}`
}

const formatDuration = (ms: number) => (ms < HOUR ? `${Math.floor(ms / MINUTE)} min` : `${Math.floor(ms / HOUR)} h`)

/** Returns 'today 16:31', 'yesterday 22:40', 'tomorrow 20:00' or dd/mm/yyyy HH:MM in the visitor's time zone. */
export function localDateTime(date: Date, now: number): string {
  const today = new Date(now)
  const nearby = (days: number) => localDate(new Date(today.getFullYear(), today.getMonth(), today.getDate() + days))
  const day = localDate(date)
  const word = { [nearby(-1)]: 'yesterday', [nearby(0)]: 'today', [nearby(1)]: 'tomorrow' }[day] ?? day
  return `${word} ${padTwo(date.getHours())}:${padTwo(date.getMinutes())}`
}

/** A visitor's clock may be slow, so 'just now' includes the next minute. */
export function relativeTime(date: Date, now: number): string {
  const age = now - date.getTime()
  if (Math.abs(age) < MINUTE) return 'just now'
  if (age < 0) return age > -DAY ? `in ${formatDuration(-age)}` : localDate(date)
  if (age < DAY) return `${formatDuration(age)} ago`
  if (age < 7 * DAY) return `${Math.floor(age / DAY)} d ago`
  return localDate(date)
}

/** Formats as '3:05', '44:51' or '1:58:02'. */
export function formatClockTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return `${minutes}:${padTwo(whole % 60)}`
  return `${Math.floor(minutes / 60)}:${padTwo(minutes % 60)}:${padTwo(whole % 60)}`
}
