import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { verifyDeleteToken } from '#server/core/moderation/deleteToken.ts'
import { authorActor, type LogActor, moderatorActor } from '#server/core/moderation/log.ts'
import { authMessages } from '#src/contract/auth.ts'
import { type BoardView, canModerate } from '#src/contract/board.ts'
import { moderationMessages } from '#src/contract/moderation.ts'
import { parsePostId } from './ids.ts'
import { findComment, findReply, findThread } from './queries.ts'
import { removePosts } from './removal.ts'

type Path<K extends string> = Record<K, string> & { deleteToken?: string | undefined }

/** Removes a thread with its posts. Its page then responds with 410. */
export const deleteThread = (ctx: Context, path: Path<'boardId' | 'threadId'>): Promise<void> =>
  deletePost(ctx, path.threadId, path.deleteToken, async () => {
    const { board, thread } = await findThread(ctx, path.boardId, path.threadId)
    return { board, threadId: thread.id }
  })

export const deleteComment = (ctx: Context, path: Path<'boardId' | 'threadId' | 'commentId'>): Promise<void> =>
  deletePost(ctx, path.commentId, path.deleteToken, async () => {
    const { board, thread } = await findComment(ctx, path.boardId, path.threadId, path.commentId)
    return { board, threadId: thread.id }
  })

export const deleteReply = (
  ctx: Context,
  path: Path<'boardId' | 'threadId' | 'commentId' | 'replyId'>,
): Promise<void> =>
  deletePost(ctx, path.replyId, path.deleteToken, async () => {
    const { board, thread } = await findReply(ctx, path)
    return { board, threadId: thread.id }
  })

type Place = { board: BoardView; threadId: number }

/**
 * @param find throws an AppError if the post does not exist
 * @throws AppError 401 without a login and token, 403 for others than the author and moderators
 */
async function deletePost(
  ctx: Context,
  postText: string,
  deleteToken: string | undefined,
  find: () => Promise<Place>,
): Promise<void> {
  const id = parsePostId(postText) ?? 0
  const isAuthor = deleteToken !== undefined && verifyDeleteToken(ctx.secrets.postDeletion, deleteToken, id)
  const user = isAuthor ? null : await ctx.currentUser()
  if (!isAuthor && !user) {
    throw deleteToken === undefined
      ? errors.unauthorized(authMessages.loginRequired)
      : errors.forbidden(moderationMessages.deleteToken)
  }
  const { board, threadId } = await find()
  if (user && !canModerate(user, board)) throw errors.forbidden(authMessages.forbidden)
  const actor: LogActor = user ? moderatorActor(user) : authorActor
  const record = { action: 'delete', actor, boardId: board.id, threadId, itemId: String(id) } as const
  await writeAndPublish(ctx, (tx) => removePosts(ctx, tx, [id], record))
}
