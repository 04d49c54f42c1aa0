import type { OccurrenceView, ShowView } from '#src/contract/show.ts'
import { formatDate } from '#src/i18n/formatText.ts'
import { rich, t } from '#src/i18n/t.ts'
import { Nick } from '#src/ui/Nick.tsx'
import { useNow } from '#src/ui/useNow.ts'
import styles from './ScheduleDay.module.css'

export function ScheduleDay({ day, current }: { day: Day; current: OccurrenceView | null }) {
  return (
    <section className={styles.day} aria-label={`${day.name}, ${day.date}`}>
      <h3 className={styles.name}>
        {day.name} <span className="data">{day.date}</span>
      </h3>
      <ul className={`divided ${styles.shows}`}>
        {day.occurrences.map((occurrence) => (
          <Entry key={occurrence.show.id} occurrence={occurrence} isCurrent={occurrence === current} />
        ))}
      </ul>
    </section>
  )
}

function Entry({ occurrence, isCurrent }: { occurrence: OccurrenceView; isCurrent: boolean }) {
  const { title, streamer, description, image } = occurrence.show
  return (
    <li className={styles.entry} data-current={isCurrent || undefined}>
      <p className={`data ${styles.time}`}>
        <ShowTime {...occurrence} />
        {isCurrent && <span className={styles.now}>{t('show.now')}</span>}
      </p>
      <div>
        <h4 className={styles.title} dir="auto">
          {title}
        </h4>
        <p className="small">{rich('ui.withHost', { name: streamer, nick: () => <Nick name={streamer} /> })}</p>
        {description && (
          <p className={`quiet ${styles.description}`} dir="auto">
            {description}
          </p>
        )}
      </div>
      {image && <ShowImage image={image} className={styles.image} />}
    </li>
  )
}

type ShowImageProps = { image: NonNullable<ShowView['image']>; isLarge?: boolean; className?: string | undefined }

/** Decoration: the title beside it names the show. */
export function ShowImage({ image, isLarge, className }: ShowImageProps) {
  const { url, width, height } = isLarge ? image.display : image.preview
  return <img className={className} src={url} width={width} height={height} alt="" loading="lazy" decoding="async" />
}

type Day = { name: string; date: string; occurrences: OccurrenceView[] }

/** Groups what takes place by the day on which it begins. */
export function groupByDay(occurrences: OccurrenceView[], { weekday, date, now }: TimeFormat): Day[] {
  const days = new Map<string, Day>()
  const today = now === null ? null : new Date(now)
  const tomorrow = today && new Date(today)
  // A day has 23 or 25 hours when the clocks change.
  tomorrow?.setDate(tomorrow.getDate() + 1)
  for (const occurrence of occurrences) {
    const key = date(occurrence.startsAt)
    const name =
      today && key === date(today)
        ? t('show.today')
        : tomorrow && key === date(tomorrow)
          ? t('show.tomorrow')
          : weekday(occurrence.startsAt)
    const day = days.get(key) ?? { name, date: key, occurrences: [] }
    day.occurrences.push(occurrence)
    days.set(key, day)
  }
  return [...days.values()]
}

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
