import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { verifyDeleteToken } from '#server/core/moderation/deleteToken.ts'
import { authorActor, type LogActor, moderatorActor } from '#server/core/moderation/log.ts'
import { authMessages } from '#src/contract/auth.ts'
import { type BoardView, canModerate } from '#src/contract/board.ts'
import { moderationMessages } from '#src/contract/moderation.ts'
import { isHeldAt } from './heldPosts.ts'
import { parsePostId } from './ids.ts'
import { findComment, findReply, findThread } from './queries.ts'
import { removePosts } from './removal.ts'

type Path<K extends string> = Record<K, string> & { deleteToken?: string | undefined }

/** Removes a thread with its posts. Its page then responds with 410. */
export const deleteThread = (ctx: Context, path: Path<'boardId' | 'threadId'>): Promise<void> =>
  deletePost(ctx, path, { id: path.threadId }, async () => (await findThread(ctx, path.boardId, path.threadId)).board)

export const deleteComment = (ctx: Context, path: Path<'boardId' | 'threadId' | 'commentId'>): Promise<void> =>
  deletePost(
    ctx,
    path,
    { id: path.commentId },
    async () => (await findComment(ctx, path.boardId, path.threadId, path.commentId)).board,
  )

export const deleteReply = (
  ctx: Context,
  path: Path<'boardId' | 'threadId' | 'commentId' | 'replyId'>,
): Promise<void> =>
  deletePost(ctx, path, { id: path.replyId, parentId: path.commentId }, async () => (await findReply(ctx, path)).board)

/**
 * @param findPostBoard throws an AppError if the post is not published
 * @throws AppError 401 without a login and token, 403 for others than the author and moderators
 */
async function deletePost(
  ctx: Context,
  { boardId, threadId: threadText, deleteToken }: Path<'boardId' | 'threadId'>,
  post: { id: string; parentId?: string },
  findPostBoard: () => Promise<BoardView>,
): Promise<void> {
  const [id, threadId] = [parsePostId(post.id) ?? 0, parsePostId(threadText) ?? 0]
  const parentId = post.parentId === undefined ? null : (parsePostId(post.parentId) ?? 0)
  const isAuthor = deleteToken !== undefined && verifyDeleteToken(ctx.secrets.postDeletion, deleteToken, id)
  const user = isAuthor ? null : await ctx.currentUser()
  if (!isAuthor && !user) {
    throw deleteToken === undefined
      ? errors.unauthorized(authMessages.loginRequired)
      : errors.forbidden(moderationMessages.deleteToken)
  }
  // Moderators decide on held posts in the queue. To all others than the author, a held post does not exist.
  if (!isAuthor || !(await isHeldAt(ctx, { boardId, threadId, parentId, id }))) {
    const board = await findPostBoard()
    if (user && !canModerate(user, board)) throw errors.forbidden(authMessages.forbidden)
  }
  const actor: LogActor = user ? moderatorActor(user) : authorActor
  const record = { action: 'delete', actor, boardId, threadId, itemId: String(id) } as const
  await writeAndPublish(ctx, (tx) => removePosts(ctx, tx, [id], record))
}
