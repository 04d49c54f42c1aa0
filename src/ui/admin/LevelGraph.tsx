import { formatDate } from '#src/i18n/formatText.ts'
import { t } from '#src/i18n/t.ts'
import { padTwo } from '#src/lib/formatTime.ts'
import { TickLevels } from '#src/ui/TickLevels.tsx'
import styles from './LevelGraph.module.css'

const AXIS_LABELS = 4

type LevelGraphProps = {
  /** oldest first */
  counts: { at: Date; count: number }[]
  /** one day instead of several */
  isDay: boolean
  /** says what the counts are, and their unit, to screen readers */
  caption: string
  unit: string
}

/** Draws counts over time as ticks, in the visitor's time zone. */
export function LevelGraph({ counts, isDay, caption, unit }: LevelGraphProps) {
  const labelled = counts.filter((_, index) => index % Math.ceil(counts.length / AXIS_LABELS) === 0)
  return (
    <div>
      <div className={styles.plot}>
        <TickLevels
          className={styles.levels}
          counts={counts.map(({ count }) => count)}
          slots={counts.length}
          recent={1}
        />
      </div>
      <div className={`scale ${styles.axis}`} aria-hidden="true">
        {labelled.map(({ at }) => (
          <span key={at.getTime()}>{isDay ? formatClock(at) : formatDay(at)}</span>
        ))}
        <span>{t('show.now')}</span>
      </div>
      <CountTable {...{ counts, isDay, caption, unit }} />
    </div>
  )
}

/** The text alternative of the levels: the highest count of each hour or day. */
function CountTable({ counts, isDay, caption, unit }: LevelGraphProps) {
  const highest = new Map<string, number>()
  for (const { at, count } of counts) {
    const name = isDay ? `${formatDay(at)} ${padTwo(at.getHours())}:00` : formatDay(at)
    highest.set(name, Math.max(count, highest.get(name) ?? 0))
  }
  return (
    // A table itself would not hide its caption in Firefox.
    <div className="visually-hidden">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{isDay ? t('show.hour') : t('show.day')}</th>
            <th scope="col">{unit}</th>
          </tr>
        </thead>
        <tbody>
          {[...highest].map(([name, count]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{count}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const formatDay = (at: Date) => formatDate(at, { day: '2-digit', month: '2-digit' })
const formatClock = (at: Date) => `${padTwo(at.getHours())}:${padTwo(at.getMinutes())}`
