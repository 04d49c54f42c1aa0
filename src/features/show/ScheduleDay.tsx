import type { OccurrenceView, ShowView } from '#src/contract/show.ts'
import { rich, t } from '#src/i18n/t.ts'
import { Nick } from '#src/ui/Nick.tsx'
import styles from './ScheduleDay.module.css'
import { ShowTime, type TimeFormat } from './ShowTime.tsx'

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
