import { and, asc, eq, inArray, lte, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Transaction } from '#db/client.server.ts'
import { post, thread } from '#db/schema/index.ts'
import type { Context, Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { findPlace } from '#server/features/board/read/queries.ts'
import { changeState, type StateReason } from '#server/features/board/states/changeState.ts'
import { publishPosts } from '#server/features/board/states/evictOldest.ts'
import { moderatorActor } from '#server/features/moderation/log/log.ts'
import type { refuseAllInput, refuseInput } from '#src/contract/heldPosts.ts'
import { refusal } from '#src/contract/refusal.ts'
import { checkBoard, type Moderator } from './heldPostList.ts'

/**
 * Publishes a held post at its place and logs it.
 * @throws AppError 404 if the post is not held any more, 403, 409 if its thread or comment was deleted
 */
export async function approveHeldPost(ctx: Context, postId: number, moderator: Moderator): Promise<void> {
  await writeAndPublish(ctx, async (tx) => {
    const record = { action: 'approve', ...(await describeHeldPost(tx, postId, moderator)) } as const
    const { ids, waiting } = await publishPosts(ctx, tx, [postId], { record, from: ['held'] })
    if (waiting.length > 0) throw errors.conflict(refusal('moderation.heldPlaceGone'))
    if (ids.length === 0) throw notHeld()
  })
}

/**
 * Removes a held post and logs it. Like other removed posts, it can be restored from the log for a week.
 * @throws AppError 404 if the post is not held any more, 403
 */
export async function refuseHeldPost(
  ctx: Context,
  { postId, reason }: z.output<typeof refuseInput>,
  moderator: Moderator,
): Promise<void> {
  await writeAndPublish(ctx, async (tx) => {
    const record = { action: 'refuse', reason, ...(await describeHeldPost(tx, postId, moderator)) } as const
    // Restoring publishes it: a moderator has seen it. Answers to it wait for their own review.
    const refused = { record, from: ['held'], isReviewed: true, withAnswers: false } satisfies StateReason
    if ((await changeState(ctx, tx, [postId], 'removed', refused)).ids.length === 0) throw notHeld()
  })
}

/**
 * Refuses all posts that are held for the same reason, for example those of a raid. Logs one entry per board. Nobody has
 * read each of them, so restoring holds them again.
 * @returns the number of refused posts
 */
export async function refuseHeldPosts(
  ctx: Context,
  { heldFor, reason }: z.output<typeof refuseAllInput>,
  { user, boards }: Moderator,
): Promise<{ count: number }> {
  return writeAndPublish(ctx, async (tx) => {
    const rows = await tx
      .select({ id: post.id, boardId: thread.boardId })
      .from(post)
      .innerJoin(thread, eq(thread.id, post.threadId))
      .where(and(isHeld, eq(post.heldFor, heldFor), boards ? inArray(thread.boardId, boards) : undefined))
    let count = 0
    for (const boardId of new Set(rows.map((row) => row.boardId))) {
      const ids = rows.filter((row) => row.boardId === boardId).map(({ id }) => id)
      const record = { action: 'refuse', actor: moderatorActor(user), boardId, reason } as const
      count += (await changeState(ctx, tx, ids, 'removed', { record, from: ['held'], withAnswers: false })).ids.length
    }
    return { count }
  })
}

const isHeld = sql`${post.state} = 'held'`
const notHeld = () => errors.notFound(refusal('moderation.heldNotHeld'))

/** Returns the fields of a log entry about a held post. @throws AppError 404, 403 */
async function describeHeldPost(db: Transaction, postId: number, moderator: Moderator) {
  const place = await findPlace({ db }, and(eq(post.id, postId), isHeld))
  if (!place) throw notHeld()
  const { boardId, threadId } = place
  checkBoard(boardId, moderator)
  return { actor: moderatorActor(moderator.user), boardId, threadId, itemId: String(postId) }
}

/** Posts per run. A raid can leave thousands: they are published over several runs. */
const BATCH = 100

/** Returns the query of the time at which the next held post is due. */
export const nextRelease = (): SQL => sql`select min(${post.releaseAt}) from ${post} where ${post.state} = 'held'`

/** Publishes held posts whose time has come. A post that has lost its place stays in the queue. */
export async function releaseHeldPosts(services: Services, signal?: AbortSignal): Promise<void> {
  const { db, now } = services
  const isDue = and(lte(post.releaseAt, now()), sql`${post.state} = 'held'`)
  const due = await db.select({ id: post.id }).from(post).where(isDue).orderBy(asc(post.releaseAt)).limit(BATCH)
  // One transaction each, so that one post cannot keep the others.
  for (const { id } of due) {
    signal?.throwIfAborted()
    await db.transaction(async (tx) => {
      const { waiting } = await publishPosts(services, tx, [id], { from: ['held'] })
      if (waiting.length > 0) await tx.update(post).set({ releaseAt: null }).where(eq(post.id, id))
    })
  }
}
