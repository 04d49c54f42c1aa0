import { useTimeFormat } from './timeFormat.ts'

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
