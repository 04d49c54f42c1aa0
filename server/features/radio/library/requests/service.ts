import { and, eq, gt, inArray, sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { songRequest } from '#db/schema/index.ts'
import type { Context, Services } from '#server/core/context.ts'
import { AppError, errors, withRetryTime } from '#server/core/errors.ts'
import { publish, writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import {
  bucketSize,
  bucketsForNetworks,
  consumeBuckets,
  dailyKey,
  type LimitBucket,
} from '#server/core/limits/rateLimits.ts'
import { activeSwitches, rejectBySwitches } from '#server/features/moderation/admission/switches.ts'
import { type LibraryTrack, type RequestableTracks, STATION_ID } from '#server/features/radio/types.ts'
import { refusal } from '#src/contract/refusal.ts'
import { type FoundTrack, type SongRequestView, songRequestLimits } from '#src/contract/songRequest.ts'
import { planNextTrack } from './planning.ts'
import { isWaiting, listRequests, lockRequests, requireTracks } from './queue.ts'

export { listRequests } from './queue.ts'

/** `visitor` is missing for requests from IRC. */
type RequestContext = Pick<Services, 'db' | 'cache' | 'config' | 'secrets' | 'moderation' | 'radio' | 'now'> &
  Partial<Pick<Context, 'visitor'>>

/** A query stands for its best match. */
type RequestedSong = ({ trackId: number } | { query: string }) & {
  source: 'web' | 'irc'
  /** IP address of the visitor, or network and host of the IRC user. Only keyed hashes of it are stored. */
  requester: string
  /** members may request songs while the site is read-only */
  isMember: boolean
}

/**
 * Finds tracks of the station's library by words of artist and title, best match first. An empty query lists tracks by
 * name.
 * @throws AppError 404 if the station takes no requests
 */
export async function findTracks(ctx: RequestContext, query: string, limit: number): Promise<FoundTrack[]> {
  const found = await requireTracks(ctx).search(query, limit)
  const available = await readCooldowns(ctx, ctx.db, found)
  return found.map((track) => ({ ...track, availableAt: available.get(track.id) ?? null }))
}

/**
 * Adds a track to the queue.
 * @throws AppError 403 while the site is read-only, 404 if the station takes no requests or there is no such track, 409
 * if the track waits already or was requested lately, or if the queue is full, 429 for too many requests of a requester.
 * The messages are in `songRequestMessages` and can be shown as they are.
 */
export async function requestSong(ctx: RequestContext, song: RequestedSong): Promise<SongRequestView> {
  const track = await findTrack(requireTracks(ctx), song)
  rejectBySwitches(await activeSwitches(ctx), { kind: 'song-request', hasImage: false, isMember: song.isMember })
  const returnTokens = await consumeBuckets(ctx, requestBuckets(ctx, song))
  const id = await writeAndPublish(ctx, (tx) => insertRequest(ctx, tx, track, song.source)).catch(async (error) => {
    if (error instanceof AppError) await returnTokens()
    throw error
  })
  await planNextTrack(ctx)
  const { requests } = await listRequests(ctx)
  const created = requests.find((request) => request.id === id)
  if (!created) throw errors.notFound(refusal('radio.requestRequestNotFound'))
  return created
}

async function findTrack(tracks: RequestableTracks, song: RequestedSong): Promise<LibraryTrack> {
  if ('query' in song) {
    const [best] = await tracks.search(song.query.slice(0, songRequestLimits.query), 1)
    if (!best || song.query.trim() === '') throw errors.notFound(refusal('radio.requestNoMatch'))
    return best
  }
  const track = await tracks.find(song.trackId)
  if (!track) throw errors.notFound(refusal('radio.requestTrackNotFound'))
  return track
}

function requestBuckets(ctx: RequestContext, { source, requester }: RequestedSong): LimitBucket[] {
  const perHour = ctx.config.radio.songRequests?.perHour ?? 1
  const rate = { burst: perHour, everySeconds: 3600 / perHour }
  if (source === 'web') {
    const limit = { name: 'song-request', rate, amount: 1, text: refusal('radio.requestTooMany') }
    return bucketsForNetworks({ ...ctx, address: requester }, limit)
  }
  const key = dailyKey(ctx, `song-request irc ${requester}`)
  return [{ ...bucketSize(rate, 1), key, text: refusal('radio.requestTooManyFromUser') }]
}

/** The lock makes the checks hold when many visitors request songs at once. */
async function insertRequest(
  ctx: RequestContext,
  tx: Transaction,
  { id: trackId, artist, title, seconds }: LibraryTrack,
  source: RequestedSong['source'],
): Promise<number> {
  const now = ctx.now()
  await lockRequests(tx)
  const waiting = await tx.select({ trackId: songRequest.trackId }).from(songRequest).where(isWaiting(now))
  if (waiting.some((request) => request.trackId === trackId)) throw errors.conflict(refusal('radio.requestWaiting'))
  const availableAt = (await readCooldowns(ctx, tx, [{ id: trackId }])).get(trackId)
  if (availableAt) {
    const seconds = Math.ceil((availableAt.getTime() - now.getTime()) / 1000)
    throw errors.conflict(withRetryTime(refusal('radio.requestRecent'), seconds))
  }
  if (waiting.length >= songRequestLimits.waiting) throw errors.conflict(refusal('radio.requestFull'))
  const [created] = await tx
    .insert(songRequest)
    .values({ stationId: STATION_ID, trackId, artist, title, seconds, source, requestedAt: now })
    .returning({ id: songRequest.id })
  if (!created) throw new Error('INSERT returned no request')
  await publish(tx, now, [{ topic: 'shows', change: { kind: 'requests' } }])
  return created.id
}

/** Returns when tracks can be requested again, by track; only for tracks that were requested lately. */
async function readCooldowns(
  { config, now }: Pick<Services, 'config' | 'now'>,
  db: Services['db'] | Transaction,
  tracks: Pick<LibraryTrack, 'id'>[],
): Promise<Map<number, Date>> {
  const cooldownMs = config.radio.songRequests?.cooldownMs ?? 0
  if (tracks.length === 0) return new Map()
  const rows = await db
    .select({
      trackId: songRequest.trackId,
      requestedAt: sql`max(${songRequest.requestedAt})`.mapWith(songRequest.requestedAt),
    })
    .from(songRequest)
    .where(
      and(
        eq(songRequest.stationId, STATION_ID),
        inArray(
          songRequest.trackId,
          tracks.map(({ id }) => id),
        ),
        gt(songRequest.requestedAt, new Date(now().getTime() - cooldownMs)),
      ),
    )
    .groupBy(songRequest.trackId)
  return new Map(rows.map(({ trackId, requestedAt }) => [trackId, new Date(requestedAt.getTime() + cooldownMs)]))
}
