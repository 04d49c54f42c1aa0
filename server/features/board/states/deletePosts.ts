import { and, eq, isNull } from 'drizzle-orm'
import { post } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { isBoardId } from '#server/features/board/ids.ts'
import { findPlace, findPublished, isOrWasOnBoard, type PostPath } from '#server/features/board/read/queries.ts'
import { changeState } from '#server/features/board/states/changeState.ts'
import { verifyDeleteToken } from '#server/features/board/write/deleteToken.ts'
import { authorActor, type LogActor, moderatorActor } from '#server/features/moderation/log/log.ts'
import { canModerate } from '#src/contract/board.ts'
import { refusal } from '#src/contract/refusal.ts'

export type PostDeletion = PostPath & { deleteToken?: string | undefined }

/**
 * Deletes a thread, comment or reply. Moderators remove a thread with its posts, and a comment with its replies; authors
 * delete only their own post, and the answers of others stay. If no post of a thread is left, its page answers 410.
 * @throws AppError 401 without a login and token, 403 for others than the author and moderators, 404
 */
export async function deletePost(ctx: Context, { deleteToken, ...path }: PostDeletion): Promise<void> {
  const { threadId } = path
  const id = path.replyId ?? path.commentId ?? threadId
  const isAuthor = deleteToken !== undefined && (await verifyDeleteToken(ctx, deleteToken, id))
  const user = isAuthor ? null : await ctx.currentUser()
  if (!isAuthor && !user) {
    throw deleteToken === undefined
      ? errors.unauthorized(refusal('auth.loginRequired'))
      : errors.forbidden(refusal('moderation.deleteToken'))
  }
  // Moderators decide on held posts in the queue. To all others than the author, a held post does not exist.
  const heldOn = isAuthor ? await findHeldBoard(ctx, path, id) : undefined
  const board = heldOn === undefined ? (await findPublished(ctx, path)).board : null
  if (user && board && !canModerate(user, board)) throw errors.forbidden(refusal('auth.forbidden'))
  const boardId = heldOn ?? board?.id ?? path.boardId
  const actor: LogActor = user ? moderatorActor(user) : authorActor
  const record = { action: 'delete', actor, boardId, threadId, itemId: String(id) } as const
  await writeAndPublish(ctx, (tx) => changeState(ctx, tx, [id], 'removed', { record, withAnswers: !isAuthor }))
}

/**
 * Returns the board of a post that is held at this place: for an opening post, in its own thread. The author's browser
 * still has the old board of a moved thread.
 */
async function findHeldBoard(
  { db }: Context,
  { boardId, threadId, commentId, replyId }: PostPath,
  id: number,
): Promise<string | undefined> {
  if (!isBoardId(boardId)) return undefined
  const isAtParent = replyId === undefined ? isNull(post.parentId) : eq(post.parentId, commentId ?? 0)
  const isHeld = and(eq(post.id, id), eq(post.threadId, threadId), isAtParent, eq(post.state, 'held'))
  return (await findPlace({ db }, and(isHeld, isOrWasOnBoard(boardId))))?.boardId
}
