import { setTimeout as sleep } from 'node:timers/promises'
import { and, asc, desc, eq, gt, isNotNull, isNull, ne, or, sql } from 'drizzle-orm'
import type { Database, Transaction } from '#db/client.server.ts'
import { broadcast, songRequest } from '#db/schema/index.ts'
import { cacheFor } from '#server/core/cache/cacheFor.ts'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import type { PlannedTracks } from '#server/features/radio/library/library.ts'
import type { PlannedTrack } from '#server/features/radio/library/timeline.ts'
import { type RequestableTracks, STATION_ID } from '#server/features/radio/types.ts'
import { refusal } from '#src/contract/refusal.ts'
import type { RequestQueue } from '#src/contract/songRequest.ts'

/** Advisory lock of transactions that add or plan requests. */
const REQUEST_LOCK = 7_305_159

export const lockRequests = (tx: Transaction) => tx.execute(sql`select pg_advisory_xact_lock(${REQUEST_LOCK})`)

/** @throws AppError 404 if the station takes no requests */
export function requireTracks({ radio }: Pick<Services, 'radio'>): RequestableTracks {
  if (!radio.tracks) throw errors.notFound(refusal('radio.requestOff'))
  return radio.tracks
}

/** Requests that have neither started nor ended. */
export const isWaiting = (now: Date) =>
  and(
    eq(songRequest.stationId, STATION_ID),
    isNull(songRequest.outcome),
    or(isNull(songRequest.playsAt), gt(songRequest.playsAt, now)),
  )

/** All processes must know a planned track before it starts, or one of them would play another track. */
export const LEAD_MS = 5_000

/** Returns the streamer on air, also if another process has the source. */
export async function findStreamer(db: Services['db'] | Transaction) {
  const [running] = await db
    .select({ userId: broadcast.userId, name: broadcast.streamerName })
    .from(broadcast)
    .where(and(isNull(broadcast.endedAt), eq(broadcast.stationId, STATION_ID)))
    .limit(1)
  return running ?? null
}

/** Returns the waiting requests in the order of play. */
export async function listRequests({ db, radio, now }: Pick<Services, 'db' | 'radio' | 'now'>): Promise<RequestQueue> {
  const rows = await db
    .select()
    .from(songRequest)
    .where(isWaiting(now()))
    .orderBy(sql`${songRequest.playsAt} nulls last`, asc(songRequest.id))
  const streamer = await findStreamer(db)
  const hasPlan = rows.some(({ playsAt }) => playsAt !== null)
  const gap =
    rows.length > 0 && !hasPlan && !streamer
      ? await radio.tracks?.findGap(await readPlannedTracks(db), new Date(now().getTime() + LEAD_MS))
      : null
  let nextStart = gap?.startsAt ?? null
  const requests = rows.map(({ id, trackId, artist, title, seconds, source, requestedAt, playsAt }) => {
    const expectedAt = streamer ? null : (playsAt ?? nextStart)
    nextStart = expectedAt && new Date(expectedAt.getTime() + seconds * 1000)
    return { id, trackId, artist, title, seconds, source, requestedAt, expectedAt, isPlanned: playsAt !== null }
  })
  return { requests, streamerName: streamer?.name ?? null }
}

/** Enough for the list of past songs, the current track and the next one. */
const MAX_PLANNED = 10
/** Limits how long a listener waits for a database that does not answer. The station then plays without requests. */
const READY_MS = 2_000
/** Limits how long a process uses old tracks if it missed the event. */
const MAX_AGE_MS = 30_000

export async function readPlannedTracks(db: Database | Transaction): Promise<PlannedTrack[]> {
  const rows = await db
    .select()
    .from(songRequest)
    .where(
      and(
        eq(songRequest.stationId, STATION_ID),
        isNotNull(songRequest.playsAt),
        or(isNull(songRequest.outcome), ne(songRequest.outcome, 'skipped')),
      ),
    )
    .orderBy(desc(songRequest.playsAt))
    .limit(MAX_PLANNED)
  return rows
    .reverse()
    .flatMap(({ id, playsAt, nextTrackId, trackId, seconds }) =>
      playsAt && nextTrackId !== null
        ? [{ requestId: id, startsAt: playsAt.getTime(), trackId, seconds, nextTrackId }]
        : [],
    )
}

/** Keeps the planned tracks in memory, because the station needs them without waiting. A change makes them stale. */
export function createPlannedTracks(
  { db, cache }: Pick<Services, 'db' | 'cache'>,
  onFault: (error: unknown) => void,
): PlannedTracks {
  let tracks: PlannedTrack[] = []
  const version = () => cache.lastChange(['shows'])
  const load = cacheFor(
    MAX_AGE_MS,
    async () => {
      const loaded = version()
      const next = await readPlannedTracks(db).catch(onFault)
      // A change during a query may be missing in its result.
      if (next && loaded === version()) tracks = next
    },
    { version },
  )
  return {
    current() {
      void load()
      return tracks
    },
    ready: () => Promise.race([load(), sleep(READY_MS, undefined, { ref: false })]),
  }
}
