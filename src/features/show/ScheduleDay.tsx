import type { OccurrenceView } from '#src/contract/show.ts'
import { rich, t } from '#src/i18n/t.ts'
import { Nick } from '#src/ui/Nick.tsx'
import type { ScheduleDay as Day } from './groupByDay.ts'
import styles from './ScheduleDay.module.css'
import { ShowImage } from './ShowImage.tsx'
import { ShowTime } from './ShowTime.tsx'

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
          <p className={styles.description} dir="auto">
            {description}
          </p>
        )}
      </div>
      {image && <ShowImage image={image} className={styles.image} />}
    </li>
  )
}
