import { and, eq, isNull } from 'drizzle-orm'
import { post } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { isBoardId, parsePostId } from '#server/features/board/ids.ts'
import { findComment, findPlace, findReply, findThread } from '#server/features/board/read/queries.ts'
import { isOrWasOnBoard } from '#server/features/board/read/threadConditions.ts'
import { verifyDeleteToken } from '#server/features/board/write/deleteToken.ts'
import { authorActor, type LogActor, moderatorActor } from '#server/features/moderation/log/log.ts'
import { type BoardView, canModerate } from '#src/contract/board.ts'
import { refusal } from '#src/contract/refusal.ts'
import { changeState } from './changeState.ts'

type Path<K extends string> = Record<K, string> & { deleteToken?: string | undefined }

/**
 * Moderators remove the thread with its posts; its author removes only the opening post. If no post is left, the page
 * answers 410.
 */
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
  { boardId: given, threadId: threadText, deleteToken }: Path<'boardId' | 'threadId'>,
  place: { id: string; parentId?: string },
  findPostBoard: () => Promise<BoardView>,
): Promise<void> {
  const [id, threadId] = [parsePostId(place.id) ?? 0, parsePostId(threadText) ?? 0]
  const parentId = place.parentId === undefined ? null : (parsePostId(place.parentId) ?? 0)
  const isAuthor = deleteToken !== undefined && verifyDeleteToken(ctx.secrets.postDeletion, deleteToken, id)
  const user = isAuthor ? null : await ctx.currentUser()
  if (!isAuthor && !user) {
    throw deleteToken === undefined
      ? errors.unauthorized(refusal('auth.loginRequired'))
      : errors.forbidden(refusal('moderation.deleteToken'))
  }
  // Moderators decide on held posts in the queue. To all others than the author, a held post does not exist.
  const heldOn = isAuthor ? await findHeldBoard(ctx, { boardId: given, threadId, parentId, id }) : undefined
  const board = heldOn === undefined ? await findPostBoard() : null
  if (user && board && !canModerate(user, board)) throw errors.forbidden(refusal('auth.forbidden'))
  const boardId = heldOn ?? board?.id ?? given
  const actor: LogActor = user ? moderatorActor(user) : authorActor
  const record = { action: 'delete', actor, boardId, threadId, itemId: String(id) } as const
  // Authors delete only their own post; the answers of others stay.
  await writeAndPublish(ctx, (tx) => changeState(ctx, tx, [id], 'removed', { record, withAnswers: !isAuthor }))
}

type HeldPlace = { boardId: string; threadId: number; parentId: number | null; id: number }

/**
 * Returns the board of a post that is held at this place: for an opening post, in its own thread. The author's browser
 * still has the old board of a moved thread.
 */
async function findHeldBoard({ db }: Context, place: HeldPlace): Promise<string | undefined> {
  const { boardId, threadId, parentId, id } = place
  if (!isBoardId(boardId)) return undefined
  const isAtParent = parentId === null ? isNull(post.parentId) : eq(post.parentId, parentId)
  const isHere = and(eq(post.id, id), eq(post.threadId, threadId), isAtParent, isOrWasOnBoard(boardId))
  return (await findPlace({ db }, and(isHere, eq(post.state, 'held'))))?.boardId
}
