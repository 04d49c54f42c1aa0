import { and, asc, eq, lte, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Transaction } from '#db/client.server.ts'
import { post, thread } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { type MemberContext, moderatorProcedure, router } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { withheldName } from '#server/core/storage/fileStore.ts'
import { imagesOf } from '#server/core/storage/imageFiles.ts'
import { changeState, type StateChange, type StateReason } from '#server/features/board/states/changeState.ts'
import { publishPosts } from '#server/features/board/states/evictOldest.ts'
import { type LogRecord, moderatorActor } from '#server/features/moderation/log/log.ts'
import { imageTypeOf } from '#src/contract/image.ts'
import {
  type HeldImage,
  heldImageInput,
  heldImageSchema,
  heldPostInput,
  heldPostsSchema,
  refuseAllInput,
  refuseInput,
} from '#src/contract/queue.ts'
import { refusal } from '#src/contract/refusal.ts'
import { isHeldOn, listHeldPosts } from './heldPostList.ts'

const HELD = '/api/moderation/held'

export const heldRouter = router({
  list: documented(
    moderatorProcedure.query(({ ctx }) => ctx.readLarge(() => listHeldPosts(ctx, ctx.boards))),
    { path: HELD, summary: 'Lists the first 20 posts that wait for a review', answer: heldPostsSchema },
  ),
  // In the size of its thread page.
  image: documented(
    moderatorProcedure.input(heldImageInput).query(({ ctx, input: { postId, number } }) =>
      ctx.readLarge(async (): Promise<HeldImage> => {
        const shown = imagesOf(await findHeld(ctx, ctx.db, postId))[number - 1]?.display
        const file = shown && (await ctx.files.read(withheldName(shown.name)))
        if (!file) throw notHeld()
        const { name, width, height } = shown
        const bytes = Buffer.concat(await file.content.toArray())
        return { url: `data:${imageTypeOf(name)};base64,${bytes.toString('base64')}`, width, height }
      }),
    ),
    {
      path: `${HELD}/:postId/image`,
      summary: 'Reads an image of a held post',
      answer: z.object({ image: heldImageSchema }),
    },
  ),
  approve: documented(
    moderatorProcedure.input(heldPostInput).mutation(({ ctx, input: { postId } }) =>
      decide(ctx, postId, (tx, entry) => {
        const record = { action: 'approve', ...entry } as const
        return publishPosts(ctx, tx, [postId], { record, from: ['held'] })
      }),
    ),
    {
      path: `${HELD}/:postId/approve`,
      summary: 'Publishes a held post',
      statuses: { 409: 'The thread or comment of the post was deleted' },
    },
  ),
  refuse: documented(
    moderatorProcedure.input(refuseInput).mutation(({ ctx, input: { postId, reason } }) =>
      decide(ctx, postId, (tx, entry) => {
        const record = { action: 'refuse', reason, ...entry } as const
        // Restoring publishes it: a moderator has seen it. Answers to it wait for their own review.
        const refused = { record, from: ['held'], isReviewed: true, withAnswers: false } satisfies StateReason
        return changeState(ctx, tx, [postId], 'removed', refused)
      }),
    ),
    { path: `${HELD}/:postId/refuse`, summary: 'Removes a held post. It can be restored like other removed posts.' },
  ),
  // Logs one entry per board. Nobody has read each of the posts, so restoring holds them again.
  refuseAll: documented(
    moderatorProcedure.input(refuseAllInput).mutation(({ ctx, input: { heldFor, reason } }) =>
      writeAndPublish(ctx, async (tx) => {
        const rows = await tx
          .select({ id: post.id, boardId: thread.boardId })
          .from(post)
          .innerJoin(thread, eq(thread.id, post.threadId))
          .where(and(isHeldOn(ctx.boards), eq(post.heldFor, heldFor)))
        let count = 0
        for (const boardId of new Set(rows.map((row) => row.boardId))) {
          const ids = rows.filter((row) => row.boardId === boardId).map(({ id }) => id)
          const record = { action: 'refuse', actor: moderatorActor(ctx.user), boardId, reason } as const
          const refused = { record, from: ['held'], withAnswers: false } satisfies StateReason
          count += (await changeState(ctx, tx, ids, 'removed', refused)).ids.length
        }
        return { count }
      }),
    ),
    {
      path: `${HELD}/refuse`,
      summary: 'Removes all posts that are held for the reason `heldFor`',
      answer: z.object({ count: z.int() }),
    },
  ),
})

const notHeld = () => errors.notFound(refusal('moderation.heldNotHeld'))

/** The moderator who acts. `boards` has the ids of the boards that they moderate; null means all. */
type Moderator = MemberContext & { boards: string[] | null }

/** Finds a held post. @throws AppError 404, or 403 for a post on a board of other moderators */
async function findHeld({ boards }: Moderator, db: Pick<Services['db'], 'select'>, postId: number) {
  const { threadId, image, moreImages } = post
  const [found] = await db
    .select({ threadId, image, moreImages, boardId: thread.boardId })
    .from(post)
    .innerJoin(thread, eq(thread.id, post.threadId))
    .where(and(eq(post.id, postId), isHeldOn(null)))
  if (!found) throw notHeld()
  if (boards && !boards.includes(found.boardId)) throw errors.forbidden(refusal('auth.forbidden'))
  return found
}

/** Publishes or refuses a held post. @param entry the fields of the log entry @throws AppError 404, 403, 409 */
const decide = (
  ctx: Moderator,
  postId: number,
  change: (tx: Transaction, entry: Omit<LogRecord, 'action'>) => Promise<StateChange>,
): Promise<void> =>
  writeAndPublish(ctx, async (tx) => {
    const { boardId, threadId } = await findHeld(ctx, tx, postId)
    const entry = { actor: moderatorActor(ctx.user), boardId, threadId, itemId: String(postId) }
    const { ids, waiting } = await change(tx, entry)
    if (waiting.length > 0) throw errors.conflict(refusal('moderation.heldPlaceGone'))
    if (ids.length === 0) throw notHeld()
  })

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
