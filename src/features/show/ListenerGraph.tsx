import { useState } from 'react'
import { MAX_LISTENER_HOURS } from '#src/contract/radio.ts'
import { rich, t } from '#src/i18n/t.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { LevelGraph } from '#src/ui/admin/LevelGraph.tsx'
import { QueryResult } from '#src/ui/admin/QueryResult.tsx'
import { Chip } from '#src/ui/Chip.tsx'
import { Time } from '#src/ui/Time.tsx'

const REFRESH_MS = 60_000
const DAY_HOURS = 24
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
        {({ peak, spans }) => (
          <>
            <p className="data">
              {peak
                ? rich('show.peakListeners', { count: peak.listeners, time: () => <Time date={peak.at} /> })
                : t('show.nobodyListened')}
            </p>
            <LevelGraph
              counts={spans.map(({ at, listeners }) => ({ at, count: listeners }))}
              isDay={hours === DAY_HOURS}
              caption={t('show.mostListeners')}
              unit={t('show.listeners')}
            />
          </>
        )}
      </QueryResult>
    </div>
  )
}
