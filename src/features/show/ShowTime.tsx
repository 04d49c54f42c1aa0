import { formatDate } from '#src/i18n/formatText.ts'
import { useNow } from '#src/ui/useNow.ts'

function createFormat(timeZone?: 'UTC') {
  const create = (options: Intl.DateTimeFormatOptions) => (date: Date) => formatDate(date, { ...options, timeZone })
  return {
    weekday: create({ weekday: 'long' }),
    /** dd/mm/yyyy in English */
    date: create({ day: '2-digit', month: '2-digit', year: 'numeric' }),
    /** HH:MM */
    time: create({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    zone: timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone,
  }
}

export type TimeFormat = ReturnType<typeof createFormat> & {
  /** in ms; null in the first render */
  now: number | null
}

const utc = createFormat('UTC')
let local: ReturnType<typeof createFormat> | undefined

/** Formats times in UTC in the first render, whose HTML is the same for all visitors, then in the visitor's zone. */
export function useTimeFormat(): TimeFormat {
  const now = useNow()
  if (now === null) return { ...utc, now }
  local ??= createFormat()
  return { ...local, now }
}

type ShowTimeProps = { startsAt: Date; endsAt: Date; withDay?: boolean }

/** Shows from when to when a show takes place, such as '20:00–22:00 UTC', then in the visitor's time zone. */
export function ShowTime({ startsAt, endsAt, withDay }: ShowTimeProps) {
  const { weekday, date, time, now } = useTimeFormat()
  return (
    <>
      {withDay && `${weekday(startsAt)} ${date(startsAt)}, `}
      <time dateTime={startsAt.toISOString()}>{time(startsAt)}</time>–
      <time dateTime={endsAt.toISOString()}>{time(endsAt)}</time>
      {now === null && ' UTC'}
    </>
  )
}
