import { and, eq, sql } from 'drizzle-orm'
import { moderationLog, post, thread } from '#db/schema/index.ts'
import { errors } from '#server/core/errors.ts'
import { writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { memberProcedure } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { findBoard } from '#server/features/board/boards/boards.ts'
import { changeState } from '#server/features/board/states/changeState.ts'
import { publishPosts } from '#server/features/board/states/evictOldest.ts'
import { canModerate } from '#src/contract/board.ts'
import { restoreInput, restoreResultSchema } from '#src/contract/log.ts'
import { refusal } from '#src/contract/refusal.ts'
import { moderatorActor, writeLog } from './log.ts'

/**
 * Restores the posts that an action removed. Posts stay removed while their thread or comment is removed. Posts that
 * nobody had reviewed wait for a review again. What its author deleted stays deleted.
 * @throws AppError 404 for an unknown entry, 403 for users who do not moderate all boards on which the posts are now,
 * 409 if no post can be restored
 */
export const restore = documented(
  memberProcedure()
    .input(restoreInput)
    .mutation(async ({ ctx, input: { logId } }) => {
      const { user } = ctx
      const [entry] = await ctx.db
        .select({ boardId: moderationLog.boardId, role: moderationLog.role })
        .from(moderationLog)
        .where(eq(moderationLog.id, logId))
      if (!entry) throw errors.notFound(refusal('moderation.logEntryNotFound'))
      const removed = await ctx.db
        .select({ boardId: thread.boardId })
        .from(post)
        .innerJoin(thread, eq(thread.id, post.threadId))
        .where(and(eq(post.logId, logId), sql`${post.state} = 'removed'`))
        .groupBy(thread.boardId)
      const isOfBoards = entry.boardId !== null && removed.length > 0
      const boards = isOfBoards ? removed.map((one) => one.boardId) : [entry.boardId]
      for (const id of boards) {
        const isAllowed = id === null ? user.role === 'admin' : canModerate(user, (await findBoard(ctx, id)).board)
        if (!isAllowed) throw errors.forbidden(refusal('auth.forbidden'))
      }
      if (entry.role === 'author') throw errors.conflict(refusal('moderation.deletedByAuthor'))
      return writeAndPublish(ctx, async (tx) => {
        const rows = await tx
          .select({ id: post.id, heldFor: post.heldFor })
          .from(post)
          .where(and(eq(post.logId, logId), sql`${post.state} = 'removed'`))
        const idsOf = (isHeld: boolean) =>
          rows.filter(({ heldFor }) => (heldFor !== null) === isHeld).map(({ id }) => id)
        const held = (await changeState(ctx, tx, idsOf(true), 'held', { from: ['removed'] })).ids.length
        const { ids, waiting } = await publishPosts(ctx, tx, idsOf(false), { from: ['removed'] })
        const restored = ids.length + held
        if (restored === 0) {
          throw errors.conflict(
            waiting.length > 0 ? refusal('moderation.parentRemoved') : refusal('moderation.notRestorable'),
          )
        }
        if (waiting.length === 0) {
          await tx.update(moderationLog).set({ undoneAt: ctx.now() }).where(eq(moderationLog.id, logId))
        }
        const record = {
          action: 'restore',
          actor: moderatorActor(user),
          boardId: boards[0] ?? null,
          count: restored,
        } as const
        await writeLog(tx, ctx.now(), record)
        return { restored, waiting: waiting.length, held }
      })
    }),
  {
    method: 'POST',
    path: '/api/moderation/restore',
    summary: 'Restores the posts that an entry of the log removed',
    answer: restoreResultSchema,
    access: 'moderator',
    statuses: {
      404: 'The log has no such entry',
      409: 'Nothing is left to restore, or the thread or comment of the posts is removed',
    },
  },
)
