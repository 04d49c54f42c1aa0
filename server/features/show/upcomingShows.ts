import { cacheFor } from '#server/core/cache/cacheFor.ts'
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
  async function read(): Promise<UpcomingShows> {
    const from = now()
    const shows = await readShows(db, isOnSchedule(from))
    const occurrences = listAll(shows, from, new Date(from.getTime() + WEEK_MS))
    const isRunning = ({ startsAt }: OccurrenceView) => startsAt <= from
    return {
      current: occurrences.find(isRunning) ?? null,
      next: occurrences.find((occurrence) => !isRunning(occurrence)) ?? null,
    }
  }

  return cacheFor(MAX_AGE_MS, read, {
    now: () => now().getTime(),
    version: () => cache.lastChange(['shows']),
  })
}

declare module '#server/core/context.ts' {
  interface Services {
    upcomingShows: () => Promise<UpcomingShows>
  }
}
