import { and, desc, eq, gt, isNotNull, isNull, lt, lte, notInArray, type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { songRequest } from '#db/schema/index.ts'
import type { SessionUser } from '#server/core/auth/sessions.ts'
import type { Context, Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { publish, writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { STATION_ID } from '#server/features/radio/types.ts'
import { refusal } from '#src/contract/refusal.ts'
import { songRequestLimits } from '#src/contract/songRequest.ts'
import { findStreamer, isWaiting, LEAD_MS, lockRequests, readPlannedTracks, requireTracks } from './queue.ts'

type Planner = Pick<Services, 'db' | 'cache' | 'radio' | 'now'>

const WAIT_MS = songRequestLimits.waitHours * 3600_000

/** Returns the query of a time that is due while a request waits or plays. */
export const openRequests = ({ radio, now }: Pick<Services, 'radio' | 'now'>): SQL | null =>
  radio.tracks && sql`select ${now().toISOString()} from ${songRequest} where ${songRequest.outcome} is null limit 1`

/** Marks requests that have started, that waited too long, or that a streamer's show delays. Plans the next track. */
export async function playRequests(services: Planner): Promise<void> {
  const { radio, now } = services
  if (!radio.tracks) return
  await writeAndPublish(services, async (tx) => {
    await lockRequests(tx)
    if (await settleRequests(tx, now())) await publishRequests(tx, now())
  })
  await planNextTrack(services)
}

/** @returns whether a request changed */
async function settleRequests(tx: Transaction, now: Date): Promise<boolean> {
  const isOpen = and(eq(songRequest.stationId, STATION_ID), isNull(songRequest.outcome))
  const id = { id: songRequest.id }
  const played = await tx
    .update(songRequest)
    .set({ outcome: 'played' })
    .where(and(isOpen, lte(songRequest.playsAt, now)))
    .returning(id)
  const skipped = await tx
    .update(songRequest)
    .set({ outcome: 'skipped' })
    .where(and(isOpen, isNull(songRequest.playsAt), lt(songRequest.requestedAt, new Date(now.getTime() - WAIT_MS))))
    .returning(id)
  const delayed = (await findStreamer(tx))
    ? await tx
        .update(songRequest)
        .set({ playsAt: null, nextTrackId: null })
        .where(and(isOpen, gt(songRequest.playsAt, now)))
        .returning(id)
    : []
  return played.length + skipped.length + delayed.length > 0
}

/**
 * Plans the first waiting request between two tracks, unless another one is planned or a streamer is on air. Skips requests
 * whose track was deleted.
 */
export async function planNextTrack(ctx: Planner): Promise<void> {
  const { db, radio, now } = ctx
  const next = await findNextRequest(db, now())
  if (!radio.tracks || !next) return
  const track = await radio.tracks.find(next.trackId)
  // Outside of the transaction, because reading the library takes time.
  const planned = await readPlannedTracks(db)
  const gap = track && (await radio.tracks.findGap(planned, new Date(now().getTime() + LEAD_MS)))
  await writeAndPublish(ctx, async (tx) => {
    await lockRequests(tx)
    const isUnchanged = (await findNextRequest(tx, now()))?.id === next.id
    const latest = (await readPlannedTracks(tx)).at(-1)?.requestId
    if (!isUnchanged || latest !== planned.at(-1)?.requestId) return
    const change = gap
      ? { playsAt: gap.startsAt, nextTrackId: gap.nextTrackId }
      : { outcome: track ? null : ('skipped' as const) }
    await tx.update(songRequest).set(change).where(eq(songRequest.id, next.id))
    await publishRequests(tx, now())
  })
}

/** Returns the request to plan now, or null. */
async function findNextRequest(db: Services['db'] | Transaction, now: Date) {
  const [first] = await db
    .select({ id: songRequest.id, trackId: songRequest.trackId, playsAt: songRequest.playsAt })
    .from(songRequest)
    .where(isWaiting(now))
    .orderBy(sql`${songRequest.playsAt} nulls last`, songRequest.id)
    .limit(1)
  return first && first.playsAt === null && !(await findStreamer(db)) ? first : null
}

const publishRequests = (tx: Transaction, now: Date) =>
  publish(tx, now, [{ topic: 'shows', change: { kind: 'requests' } }])

/** Longer than the cooldown of a track, and the list of past songs. */
const KEEP_MS = 24 * 60 * 60 * 1000

/** Deletes old requests. Keeps the last one that was planned: after it, the station continues in its ring of tracks. */
export async function deleteOldRequests({ db, now, config }: Pick<Services, 'db' | 'now' | 'config'>): Promise<void> {
  const keepMs = Math.max(KEEP_MS, config.radio.songRequests?.cooldownMs ?? 0)
  const latest = db
    .select({ id: songRequest.id })
    .from(songRequest)
    .where(isNotNull(songRequest.playsAt))
    .orderBy(desc(songRequest.playsAt))
    .limit(1)
  const isOld = lt(songRequest.requestedAt, new Date(now().getTime() - keepMs))
  await db.delete(songRequest).where(and(isOld, isNotNull(songRequest.outcome), notInArray(songRequest.id, latest)))
}

type Ctx = Pick<Context, 'db' | 'cache' | 'visitor' | 'radio' | 'now'> & { user: Pick<SessionUser, 'id' | 'role'> }

/**
 * Takes a request from the queue: the streamer has played it, or it is skipped.
 * @throws AppError 403 except for admins and the streamer on air, 404 if it is not waiting, 409 if it is about to start
 */
export async function finishRequest(
  ctx: Ctx,
  { id, outcome }: { id: number; outcome: 'played' | 'skipped' },
): Promise<void> {
  requireTracks(ctx)
  await writeAndPublish(ctx, async (tx) => {
    const streamer = await findStreamer(tx)
    if (ctx.user.role !== 'admin' && streamer?.userId !== ctx.user.id)
      throw errors.forbidden(refusal('radio.requestNotOnAir'))
    await lockRequests(tx)
    const now = ctx.now()
    const [found] = await tx
      .select({ playsAt: songRequest.playsAt })
      .from(songRequest)
      .where(and(eq(songRequest.id, id), isWaiting(now)))
    if (!found) throw errors.notFound(refusal('radio.requestRequestNotFound'))
    // Other processes may not learn of the change in time, and would play the track.
    const isStarting = !streamer && found.playsAt !== null && found.playsAt.getTime() - now.getTime() < LEAD_MS
    if (isStarting) throw errors.conflict(refusal('radio.requestStarting'))
    const unplanned = { playsAt: null, nextTrackId: null }
    await tx
      .update(songRequest)
      .set({ outcome, ...unplanned })
      .where(eq(songRequest.id, id))
    await publishRequests(tx, now)
  })
  await planNextTrack(ctx)
}
