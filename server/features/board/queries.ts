import { and, eq, isNull, ne } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { board, post, thread } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { boardMessages } from '#src/contract/board.ts'
import { boardColumns } from './boards.ts'
import { isBoardId, parsePostId } from './ids.ts'

type Reader = Pick<Services, 'db'>

export const postColumns = {
  id: post.id,
  threadId: post.threadId,
  parentId: post.parentId,
  author: post.author,
  content: post.content,
  links: post.links,
  image: post.image,
  createdAt: post.createdAt,
}
export const threadColumns = {
  id: thread.id,
  boardId: thread.boardId,
  title: thread.title,
  lastActivity: thread.lastActivity,
  commentCount: thread.commentCount,
  replyCount: thread.replyCount,
  byteCount: thread.byteCount,
  nodeCount: thread.nodeCount,
  deletedAt: thread.deletedAt,
}

const comment = alias(post, 'comment')
const reply = alias(post, 'reply')

export const isBoard = (boardId: string) => and(eq(board.id, boardId), isNull(board.deletedAt))
/** Condition that joins a thread to its board; an invalid id joins nothing. */
export const isThread = (text: string) => and(eq(thread.boardId, board.id), eq(thread.id, parsePostId(text) ?? 0))
const isComment = (text: string) =>
  and(
    eq(comment.threadId, thread.id),
    eq(comment.id, parsePostId(text) ?? 0),
    isNull(comment.parentId),
    ne(comment.id, thread.id),
  )
const isReply = (text: string) => and(eq(reply.parentId, comment.id), eq(reply.id, parsePostId(text) ?? 0))

/** Finds a thread on a board without its posts. @throws AppError 404 'Board not found' or 'Thread not found' */
export async function findThread({ db }: Reader, boardId: string, threadText: string) {
  const rows = isBoardId(boardId)
    ? await db
        .select({ board: boardColumns, thread: threadColumns })
        .from(board)
        .leftJoin(thread, isThread(threadText))
        .where(isBoard(boardId))
    : []
  return requireThread(rows[0])
}

/** Finds a comment of a thread. @throws AppError 404, also 'Comment not found' */
export async function findComment({ db }: Reader, boardId: string, threadText: string, commentText: string) {
  const rows = isBoardId(boardId)
    ? await db
        .select({ board: boardColumns, thread: threadColumns, comment: { id: comment.id } })
        .from(board)
        .leftJoin(thread, isThread(threadText))
        .leftJoin(comment, isComment(commentText))
        .where(isBoard(boardId))
    : []
  return requireComment(requireThread(rows[0]))
}

/** Finds a reply to a comment. @throws AppError 404, also 'Reply not found' */
export async function findReply(
  { db }: Reader,
  path: { boardId: string; threadId: string; commentId: string; replyId: string },
) {
  const rows = isBoardId(path.boardId)
    ? await db
        .select({
          board: boardColumns,
          thread: threadColumns,
          comment: { id: comment.id },
          reply: { id: reply.id, parentId: reply.parentId },
        })
        .from(board)
        .leftJoin(thread, isThread(path.threadId))
        .leftJoin(comment, isComment(path.commentId))
        .leftJoin(reply, isReply(path.replyId))
        .where(isBoard(path.boardId))
    : []
  const found = requireComment(requireThread(rows[0]))
  if (!found.reply) throw errors.notFound(boardMessages.replyNotFound)
  return { ...found, reply: found.reply }
}

/** @throws AppError 404, with `gone` if the thread was deleted */
export function requireThread<Thread extends { deletedAt: Date | null }, Row extends { thread: Thread | null }>(
  row: Row | undefined,
) {
  if (!row) throw errors.notFound(boardMessages.boardNotFound)
  const { thread } = row
  if (!thread || thread.deletedAt) throw errors.notFound(boardMessages.threadNotFound, { gone: thread !== null })
  return { ...row, thread }
}

function requireComment<Comment, Row extends { comment: Comment | null }>(row: Row) {
  if (row.comment === null) throw errors.notFound(boardMessages.commentNotFound)
  return { ...row, comment: row.comment }
}
