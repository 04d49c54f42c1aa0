import { and, eq } from 'drizzle-orm'
import { songRequest } from '#db/schema/index.ts'
import type { SessionUser } from '#server/core/auth/sessions.ts'
import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { refusal } from '#src/contract/refusal.ts'
import { planNextTrack, publishRequests } from './planning.ts'
import { findStreamer, isWaiting, LEAD_MS, lockRequests } from './queue.ts'
import { requireTracks } from './service.ts'

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
