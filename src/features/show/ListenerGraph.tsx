import { useState } from 'react'
import { type ListenerCounts, MAX_LISTENER_HOURS } from '#src/contract/radio.ts'
import { formatDate } from '#src/i18n/formatText.ts'
import { rich, t } from '#src/i18n/t.ts'
import { padTwo } from '#src/lib/formatTime.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { QueryResult } from '#src/ui/admin/QueryResult.tsx'
import { Chip } from '#src/ui/Chip.tsx'
import { TickLevels } from '#src/ui/TickLevels.tsx'
import { Time } from '#src/ui/Time.tsx'
import styles from './ListenerGraph.module.css'

const REFRESH_MS = 60_000
const DAY_HOURS = 24
const AXIS_LABELS = 4
const RANGES = [
  { hours: DAY_HOURS, label: () => t('show.hours24') },
  { hours: MAX_LISTENER_HOURS, label: () => t('show.days7') },
]

/** Shows how many people listened at this site, to streamers and admins. */
export function ListenerGraph({ stationId }: { stationId: number }) {
  const [hours, setHours] = useState(DAY_HOURS)
  const query = usePrivateQuery(
    ['listeners', stationId, hours],
    (client) => client.radio.listenerCounts.query({ station: stationId, hours }),
    { pollMs: () => REFRESH_MS },
  )
  return (
    <div className="stack">
      <fieldset className="cluster">
        <legend className="visually-hidden">{t('show.timeSpan')}</legend>
        {RANGES.map((range) => (
          <Chip
            key={range.hours}
            name="listener-hours"
            value={range.hours}
            checked={range.hours === hours}
            onChange={() => setHours(range.hours)}
          >
            {range.label()}
          </Chip>
        ))}
      </fieldset>
      <QueryResult query={query} failed={t('show.listenersFailed')}>
        {(counts) => <Levels counts={counts} isDay={hours === DAY_HOURS} />}
      </QueryResult>
    </div>
  )
}

function Levels({ counts: { peak, spans }, isDay }: { counts: ListenerCounts; isDay: boolean }) {
  const labelled = spans.filter((_, index) => index % Math.ceil(spans.length / AXIS_LABELS) === 0)
  return (
    <>
      <p className="data">
        {peak
          ? rich('show.peakListeners', { count: peak.listeners, time: () => <Time date={peak.at} /> })
          : t('show.nobodyListened')}
      </p>
      <div className={styles.plot}>
        <TickLevels
          className={styles.levels}
          counts={spans.map(({ listeners }) => listeners)}
          slots={spans.length}
          recent={1}
        />
      </div>
      <div className={styles.axis} aria-hidden="true">
        {labelled.map(({ at }) => (
          <span key={at.getTime()}>{formatLabel(at, isDay)}</span>
        ))}
        <span>{t('show.now')}</span>
      </div>
      <CountTable spans={spans} isDay={isDay} />
    </>
  )
}

/** The text alternative of the levels: the highest count of each hour or day. */
function CountTable({ spans, isDay }: { spans: ListenerCounts['spans']; isDay: boolean }) {
  const highest = new Map<string, number>()
  for (const { at, listeners } of spans) {
    const name = isDay ? `${formatDay(at)} ${padTwo(at.getHours())}:00` : formatDay(at)
    highest.set(name, Math.max(listeners, highest.get(name) ?? 0))
  }
  return (
    // A table itself would not hide its caption in Firefox.
    <div className="visually-hidden">
      <table>
        <caption>{t('show.mostListeners')}</caption>
        <thead>
          <tr>
            <th scope="col">{isDay ? t('show.hour') : t('show.day')}</th>
            <th scope="col">{t('show.listeners')}</th>
          </tr>
        </thead>
        <tbody>
          {[...highest].map(([name, listeners]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{listeners}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const formatDay = (at: Date) => formatDate(at, { day: '2-digit', month: '2-digit' })
const formatLabel = (at: Date, isDay: boolean) =>
  isDay ? `${padTwo(at.getHours())}:${padTwo(at.getMinutes())}` : formatDay(at)
