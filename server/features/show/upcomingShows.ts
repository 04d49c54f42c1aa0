import type { Services } from '#server/core/context.ts'
import { type OccurrenceView, scheduleLimits } from '#src/contract/show.ts'
import { isOnSchedule, readShows } from './queries.ts'
import { listAll } from './service.ts'

/** The scheduled show that is running, and the next one within a week. */
export type UpcomingShows = { current: OccurrenceView | null; next: OccurrenceView | null }

/** All open players ask once a minute: they share one answer for this time, in ms. */
const MAX_AGE_MS = 10_000
const WEEK_MS = scheduleLimits.defaultDays * 24 * 60 * 60 * 1000

/** Returns a function that reads the current and the next show. A change of the schedule applies at once. */
export function createUpcomingShows({
  db,
  cache,
  now,
}: Pick<Services, 'db' | 'cache' | 'now'>): () => Promise<UpcomingShows> {
  let known: { revision: number; at: number; reading: Promise<UpcomingShows> } | undefined

  async function read(from: Date): Promise<UpcomingShows> {
    const shows = await readShows(db, isOnSchedule(from))
    const occurrences = listAll(shows, from, new Date(from.getTime() + WEEK_MS))
    const isRunning = ({ startsAt }: OccurrenceView) => startsAt <= from
    return {
      current: occurrences.find(isRunning) ?? null,
      next: occurrences.find((occurrence) => !isRunning(occurrence)) ?? null,
    }
  }

  return () => {
    const from = now()
    const revision = cache.lastChange(['shows'])
    // A clock that was set back must not keep an answer.
    if (known?.revision === revision && Math.abs(from.getTime() - known.at) < MAX_AGE_MS) return known.reading
    const entry = { revision, at: from.getTime(), reading: read(from) }
    known = entry
    entry.reading.catch(() => {
      if (known === entry) known = undefined
    })
    return entry.reading
  }
}

declare module '#server/core/context.ts' {
  interface Services {
    upcomingShows: () => Promise<UpcomingShows>
  }
}
