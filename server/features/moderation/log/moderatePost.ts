import { and, eq, sql } from 'drizzle-orm'
import { moderationLog, post, type StoredImage, thread } from '#db/schema/index.ts'
import { errors } from '#server/core/errors.ts'
import { writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { uncheckedModeratorProcedure } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { fileUrl, imageFiles, imagesOf } from '#server/core/storage/imageFiles.ts'
import { retryLater } from '#server/core/storage/retryLater.ts'
import { findBoard } from '#server/features/board/boards/boards.ts'
import { findPost } from '#server/features/board/read/queries.ts'
import { changeState } from '#server/features/board/states/changeState.ts'
import { publishPosts } from '#server/features/board/states/evictOldest.ts'
import { moveThread } from '#server/features/board/write/moveThread.ts'
import { changePost, isThreadChange } from '#server/features/board/write/postChanges.ts'
import { moderatorActor, writeLog } from '#server/features/moderation/log/log.ts'
import { canModerate } from '#src/contract/board.ts'
import { restoreInput, restoreResultSchema } from '#src/contract/log.ts'
import { actInput, actionResultSchema } from '#src/contract/moderation.ts'
import { refusal } from '#src/contract/refusal.ts'

/**
 * Acts on a post, and logs it.
 * @throws AppError 404 for an unknown post or board, 403 for users who may not moderate its board, 400 for an invalid
 * action, 409 for one pinned thread too many
 */
export const act = documented(
  uncheckedModeratorProcedure
    .input(actInput)
    .mutation(async ({ ctx, input: { postId, action, reason, image, toBoard = '', ...input } }) => {
      const { user } = ctx
      const target = await findPost(ctx, input.boardId, postId)
      // A page that does not know of a move has the old one.
      const boardId = target.board.id
      const isAllowed = action === 'unarchive' ? user.role === 'admin' : canModerate(user, target.board)
      if (!isAllowed) throw errors.forbidden(refusal('auth.forbidden'))
      const { threadId } = target
      if (isThreadChange(action) && postId !== threadId) throw errors.badRequest(refusal('moderation.notAThread'))
      if ((action === 'spoiler' || action === 'delete-image') && !target.image)
        throw errors.badRequest(refusal('moderation.noImage'))
      // Without the URL of one, all images of the post.
      const isDeleted = ({ name }: StoredImage) => image === undefined || fileUrl(name) === image
      const deleted = action === 'delete-image' ? imagesOf(target).filter(isDeleted) : []
      if (action === 'delete-image' && deleted.length === 0) throw errors.notFound(refusal('image.notFound'))
      const record = { action, actor: moderatorActor(user), boardId, threadId, itemId: String(postId), reason }
      if (action === 'delete') {
        return writeAndPublish(ctx, async (tx) => {
          const { logId, ids } = await changeState(ctx, tx, [postId], 'removed', { record })
          return { logId, count: ids.length }
        })
      }
      if (action === 'move') {
        const { board } = await findBoard(ctx, toBoard)
        if (!canModerate(user, board)) throw errors.forbidden(refusal('auth.forbidden'))
        const text = [`/${boardId}/ → /${toBoard}/`, reason].filter(Boolean).join(': ')
        return writeAndPublish(ctx, async (tx) => {
          if (!(await moveThread(ctx, tx, { threadId, from: boardId, to: toBoard }))) return { logId: null, count: 0 }
          return { logId: await writeLog(tx, ctx.now(), { ...record, boardId: toBoard, reason: text }), count: 1 }
        })
      }
      const result = await writeAndPublish(ctx, async (tx) => {
        if (!(await changePost(ctx, tx, target, action, deleted))) return { logId: null, count: 0 }
        return { logId: await writeLog(tx, ctx.now(), record), count: 1 }
      })
      // The change is committed, so the moderator cannot try again.
      if (result.count > 0) await retryLater(ctx.log, () => ctx.files.remove(deleted.flatMap(imageFiles)))
      return result
    }),
  {
    path: '/api/moderation/act',
    summary: 'Acts on a post. Only threads can be locked, pinned and moved.',
    answer: actionResultSchema,
    statuses: { 404: 'The board or the post does not exist', 409: 'The board has 10 pinned threads' },
  },
)

/**
 * Restores the posts that an action removed. Posts stay removed while their thread or comment is removed. Posts that
 * nobody had reviewed wait for a review again. What its author deleted stays deleted.
 * @throws AppError 404 for an unknown entry, 403 for users who do not moderate all boards on which the posts are now,
 * 409 if no post can be restored
 */
export const restore = documented(
  uncheckedModeratorProcedure.input(restoreInput).mutation(async ({ ctx, input: { logId } }) => {
    const { user } = ctx
    const isRemoved = and(eq(post.logId, logId), sql`${post.state} = 'removed'`)
    const [entry] = await ctx.db.select().from(moderationLog).where(eq(moderationLog.id, logId))
    if (!entry) throw errors.notFound(refusal('moderation.logEntryNotFound'))
    const removed = await ctx.db
      .selectDistinct({ boardId: thread.boardId })
      .from(post)
      .innerJoin(thread, eq(thread.id, post.threadId))
      .where(isRemoved)
    const isOfBoards = entry.boardId !== null && removed.length > 0
    const boards = isOfBoards ? removed.map((one) => one.boardId) : [entry.boardId]
    for (const id of boards) {
      const isAllowed = id === null ? user.role === 'admin' : canModerate(user, (await findBoard(ctx, id)).board)
      if (!isAllowed) throw errors.forbidden(refusal('auth.forbidden'))
    }
    if (entry.role === 'author') throw errors.conflict(refusal('moderation.deletedByAuthor'))
    return writeAndPublish(ctx, async (tx) => {
      const rows = await tx.select({ id: post.id, heldFor: post.heldFor }).from(post).where(isRemoved)
      const idsOf = (isHeld: boolean) => rows.filter(({ heldFor }) => (heldFor !== null) === isHeld).map(({ id }) => id)
      const held = (await changeState(ctx, tx, idsOf(true), 'held', { from: ['removed'] })).ids.length
      const { ids, waiting } = await publishPosts(ctx, tx, idsOf(false), { from: ['removed'] })
      const restored = ids.length + held
      if (restored === 0) {
        const reason = waiting.length > 0 ? 'moderation.parentRemoved' : 'moderation.notRestorable'
        throw errors.conflict(refusal(reason))
      }
      if (waiting.length === 0)
        await tx.update(moderationLog).set({ undoneAt: ctx.now() }).where(eq(moderationLog.id, logId))
      const boardId = boards[0] ?? null
      await writeLog(tx, ctx.now(), { action: 'restore', actor: moderatorActor(user), boardId, count: restored })
      return { restored, waiting: waiting.length, held }
    })
  }),
  {
    path: '/api/moderation/restore',
    summary: 'Restores the posts that an entry of the log removed',
    answer: restoreResultSchema,
    statuses: {
      404: 'The log has no such entry',
      409: 'Nothing is left to restore, or the thread or comment of the posts is removed',
    },
  },
)
