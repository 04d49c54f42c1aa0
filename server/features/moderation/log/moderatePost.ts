import type { StoredImage } from '#db/schema/index.ts'
import { errors } from '#server/core/errors.ts'
import { writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { memberProcedure } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { fileUrl, imageFiles, imagesOf } from '#server/core/storage/imageFiles.ts'
import { retryLater } from '#server/core/storage/retryLater.ts'
import { findBoard } from '#server/features/board/boards/boards.ts'
import { findPost, type PostTarget } from '#server/features/board/read/queries.ts'
import { changeState } from '#server/features/board/states/changeState.ts'
import { moveThread } from '#server/features/board/write/moveThread.ts'
import { changePost, isThreadChange } from '#server/features/board/write/postChanges.ts'
import { canModerate } from '#src/contract/board.ts'
import { actInput, actionResultSchema, type PostAction } from '#src/contract/moderation.ts'
import { refusal } from '#src/contract/refusal.ts'
import { moderatorActor, writeLog } from './log.ts'

/**
 * Acts on a post, and logs it.
 * @throws AppError 404 for an unknown post or board, 403 for users who may not moderate its board, 400 for an invalid
 * action, 409 for one pinned thread too many
 */
export const act = documented(
  memberProcedure()
    .input(actInput)
    .mutation(async ({ ctx, input: { postId, action, reason, image, toBoard = '', ...input } }) => {
      const { user } = ctx
      const target = await findPost(ctx, input.boardId, postId)
      // A page that does not know of a move has the old one.
      const boardId = target.board.id
      const isAllowed = action === 'unarchive' ? user.role === 'admin' : canModerate(user, target.board)
      if (!isAllowed) throw errors.forbidden(refusal('auth.forbidden'))
      rejectInvalid(target, action)
      const deleted = action === 'delete-image' ? findImages(target, image) : []
      const { threadId } = target
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
    method: 'POST',
    path: '/api/moderation/act',
    summary: 'Acts on a post. Only threads can be locked, pinned and moved.',
    answer: actionResultSchema,
    access: 'moderator',
    statuses: { 404: 'The board or the post does not exist', 409: 'The board has 10 pinned threads' },
  },
)

/** @param url of the image to delete; without it, all @throws AppError 404 */
function findImages(target: PostTarget, url: string | undefined): StoredImage[] {
  const images = imagesOf(target)
  if (url === undefined) return images
  const found = images.filter(({ name }) => fileUrl(name) === url)
  if (found.length === 0) throw errors.notFound(refusal('image.notFound'))
  return found
}

function rejectInvalid({ id, threadId, image }: PostTarget, action: PostAction): void {
  if (isThreadChange(action) && id !== threadId) throw errors.badRequest(refusal('moderation.notAThread'))
  if ((action === 'spoiler' || action === 'delete-image') && !image) {
    throw errors.badRequest(refusal('moderation.noImage'))
  }
}
