import { and, eq, isNull, ne } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { board, post, thread, withheldPost } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { lastEventIdSql } from '#server/core/events/writeAndPublish.ts'
import { boardMessages } from '#src/contract/board.ts'
import { boardFormMessages } from '#src/contract/boardFormTexts.ts'
import { moderationMessages } from '#src/contract/moderation.ts'
import { boardColumns, findBoard } from './boards.ts'
import { isBoardId, parsePostId } from './ids.ts'

type Reader = Pick<Services, 'db'>

export const postColumns = {
  id: post.id,
  threadId: post.threadId,
  parentId: post.parentId,
  author: post.author,
  tripcode: post.tripcode,
  posterLabel: post.posterLabel,
  sage: post.sage,
  content: post.content,
  links: post.links,
  image: post.image,
  moreImages: post.moreImages,
  spoiler: post.spoiler,
  createdAt: post.createdAt,
}
export const threadColumns = {
  id: thread.id,
  boardId: thread.boardId,
  title: thread.title,
  lastActivity: thread.lastActivity,
  commentCount: thread.commentCount,
  replyCount: thread.replyCount,
  imageCount: thread.imageCount,
  byteCount: thread.byteCount,
  nodeCount: thread.nodeCount,
  locked: thread.locked,
  pinned: thread.pinned,
  archivedAt: thread.archivedAt,
  deletedAt: thread.deletedAt,
}
/** @throws AppError 404 'Board not found' or 'Thread not found', with `gone` if the thread was deleted */
export async function findThread({ db }: Reader, boardId: string, threadText: string) {
  const [found] = isBoardId(boardId)
    ? await db
        .select({ board: boardColumns, thread: threadColumns, lastEventId: lastEventIdSql })
        .from(board)
        .leftJoin(thread, and(eq(thread.boardId, board.id), eq(thread.id, parsePostId(threadText) ?? 0)))
        .where(and(eq(board.id, boardId), isNull(board.deletedAt)))
    : []
  if (!found) throw errors.notFound(boardMessages.boardNotFound)
  const head = found.thread
  if (!head || head.deletedAt) throw errors.notFound(boardMessages.threadNotFound, { gone: head !== null })
  return { ...found, thread: head }
}

/** @throws AppError 404 like findThread, or 'Comment not found' */
export async function findComment(ctx: Reader, boardId: string, threadText: string, commentText: string) {
  const found = await findThread(ctx, boardId, threadText)
  const threadId = found.thread.id
  const isComment = and(eq(post.threadId, threadId), isNull(post.parentId), ne(post.id, threadId))
  const [comment] = await ctx.db
    .select({ id: post.id })
    .from(post)
    .where(and(eq(post.id, parsePostId(commentText) ?? 0), isComment))
  if (!comment) throw errors.notFound(boardFormMessages.commentNotFound)
  return { ...found, comment }
}

/** @throws AppError 404 like findComment, or 'Reply not found' */
export async function findReply(
  ctx: Reader,
  path: { boardId: string; threadId: string; commentId: string; replyId: string },
) {
  const found = await findComment(ctx, path.boardId, path.threadId, path.commentId)
  const [reply] = await ctx.db
    .select({ id: post.id, parentId: post.parentId })
    .from(post)
    .where(and(eq(post.id, parsePostId(path.replyId) ?? 0), eq(post.parentId, found.comment.id)))
  if (!reply) throw errors.notFound(boardFormMessages.replyNotFound)
  return { ...found, reply }
}

/** @throws AppError 404 'Board not found' or 'Post not found'. Also finds withheld posts. */
export async function findPostBoard(ctx: Reader, boardId: string, postId: number) {
  const { board } = await findBoard(ctx, boardId)
  const published = ctx.db
    .select({ id: post.id })
    .from(post)
    .innerJoin(thread, eq(thread.id, post.threadId))
    .where(and(eq(post.id, postId), eq(thread.boardId, boardId)))
  const withheld = ctx.db
    .select({ id: withheldPost.id })
    .from(withheldPost)
    .where(and(eq(withheldPost.id, postId), eq(withheldPost.boardId, boardId)))
  const [found] = await unionAll(published, withheld)
  if (!found) throw errors.notFound(moderationMessages.postNotFound)
  return board
}

/** A post that a moderator acts on. */
export type PostTarget = Awaited<ReturnType<typeof findPost>>

/** @throws AppError 404 'Board not found' or 'Post not found' */
export async function findPost(ctx: Reader, boardId: string, postId: number) {
  const { board } = await findBoard(ctx, boardId)
  const { id, threadId, image, moreImages } = post
  const [found] = await ctx.db
    .select({ id, threadId, image, moreImages, archivedAt: thread.archivedAt })
    .from(post)
    .innerJoin(thread, eq(thread.id, post.threadId))
    .where(and(eq(post.id, postId), eq(thread.boardId, boardId)))
  if (!found) throw errors.notFound(moderationMessages.postNotFound)
  return { ...found, board }
}
