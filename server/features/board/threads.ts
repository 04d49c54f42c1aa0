import { and, asc, desc, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import { board, post, thread } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { type BoardView, boardLimits, boardMessages, type ThreadView } from '#src/contract/board.ts'
import { parseCursor, writeCursor } from '#src/contract/threadCursor.ts'
import { boardColumns, findBoard, watermark } from './boards.ts'
import { isBoardId, parsePostId } from './ids.ts'
import { readQuotes } from './quotes.ts'
import { commentViews, threadView } from './view.ts'

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
const threadColumns = {
  id: thread.id,
  boardId: thread.boardId,
  title: thread.title,
  lastActivity: thread.lastActivity,
  commentCount: thread.commentCount,
  replyCount: thread.replyCount,
  deletedAt: thread.deletedAt,
}

/** A page of a board's threads, latest activity first; `nextCursor` goes on after the last one. */
export type ThreadList = { board: BoardView; threads: ThreadView[]; nextCursor: string | null; lastEventId: string }

/** @throws AppError 404 'Board not found' */
export async function listThreads(ctx: Reader, boardId: string, cursor?: string): Promise<ThreadList> {
  const { lastEventId, ...found } = await findBoard(ctx, boardId, { lastEventId: watermark })
  const after = parseCursor(cursor)
  const rows = await ctx.db
    .select({ thread: threadColumns, post: postColumns })
    .from(thread)
    .innerJoin(post, eq(post.id, thread.id))
    .where(
      and(
        eq(thread.boardId, boardId),
        isNull(thread.deletedAt),
        after
          ? sql`(${thread.lastActivity}, ${thread.id}) < (${after.lastActivity.toISOString()}, ${after.id})`
          : undefined,
      ),
    )
    .orderBy(desc(thread.lastActivity), desc(thread.id))
    .limit(boardLimits.threadsPerPage + 1)
  const page = rows.slice(0, boardLimits.threadsPerPage)
  const latest = await latestComments(
    ctx,
    page.map((row) => row.thread.id),
  )
  const quotes = await readQuotes(ctx.db, [...page.map((row) => row.thread.id), ...latest.map((row) => row.id)])
  const last = page.at(-1)?.thread
  return {
    board: found,
    threads: page.map((row) => {
      const comments = latest.filter((comment) => comment.threadId === row.thread.id)
      return threadView(row.thread, row.post, commentViews(row.thread.id, comments, quotes), quotes)
    }),
    nextCursor: rows.length > page.length && last ? writeCursor(last) : null,
    lastEventId,
  }
}

/** The newest few comments of each thread, newest first. */
async function latestComments({ db }: Reader, threadIds: number[]) {
  if (threadIds.length === 0) return []
  const newest = db
    .select(postColumns)
    .from(post)
    .where(and(eq(post.threadId, thread.id), isNull(post.parentId), ne(post.id, thread.id)))
    .orderBy(desc(post.id))
    .limit(boardLimits.latestComments)
    .as('newest')
  return db
    .select({
      id: newest.id,
      threadId: newest.threadId,
      parentId: newest.parentId,
      author: newest.author,
      content: newest.content,
      links: newest.links,
      image: newest.image,
      createdAt: newest.createdAt,
    })
    .from(thread)
    .innerJoinLateral(newest, sql`true`)
    .where(inArray(thread.id, threadIds))
    .orderBy(desc(newest.id))
}

export type ThreadPage = { board: BoardView; thread: ThreadView; lastEventId: string }

/** A whole thread, oldest comment first. @throws AppError 404 'Board not found' or 'Thread not found' */
export async function readThread({ db }: Reader, boardId: string, threadText: string): Promise<ThreadPage> {
  const threadId = parsePostId(threadText) ?? 0
  const [row] = isBoardId(boardId)
    ? await db
        .select({ board: boardColumns, thread: threadColumns, lastEventId: watermark })
        .from(board)
        .leftJoin(thread, and(eq(thread.boardId, board.id), eq(thread.id, threadId)))
        .where(and(eq(board.id, boardId), isNull(board.deletedAt)))
    : []
  if (!row) throw errors.notFound(boardMessages.boardNotFound)
  if (!row.thread) throw errors.notFound(boardMessages.threadNotFound)
  if (row.thread.deletedAt) throw errors.notFound(boardMessages.threadNotFound, { gone: true })
  const posts = await db.select(postColumns).from(post).where(eq(post.threadId, threadId)).orderBy(asc(post.id))
  const [opening] = posts
  // Deleted between the two queries.
  if (!opening || opening.id !== threadId) throw errors.notFound(boardMessages.threadNotFound, { gone: true })
  const quotes = await readQuotes(db, sql`select ${post.id} from ${post} where ${post.threadId} = ${threadId}`)
  return {
    board: row.board,
    thread: threadView(row.thread, opening, commentViews(threadId, posts, quotes), quotes),
    lastEventId: row.lastEventId,
  }
}

/** Finds a thread on a board without its posts. @throws AppError 404 as readThread */
export async function findThread(ctx: Reader, boardId: string, threadText: string) {
  const found = await findBoard(ctx, boardId)
  const id = parsePostId(threadText) ?? 0
  const [row] = await ctx.db
    .select(threadColumns)
    .from(thread)
    .where(and(eq(thread.id, id), eq(thread.boardId, boardId)))
  if (!row || row.deletedAt) throw errors.notFound(boardMessages.threadNotFound, { gone: Boolean(row) })
  return { board: found, thread: row }
}

/** Finds a comment of a thread. @throws AppError 404, also 'Comment not found' */
export async function findComment(ctx: Reader, boardId: string, threadText: string, commentText: string) {
  const found = await findThread(ctx, boardId, threadText)
  const [comment] = await ctx.db
    .select(postColumns)
    .from(post)
    .where(and(eq(post.id, parsePostId(commentText) ?? 0), eq(post.threadId, found.thread.id), isNull(post.parentId)))
  if (!comment || comment.id === found.thread.id) throw errors.notFound(boardMessages.commentNotFound)
  return { ...found, comment }
}

/** Finds a reply to a comment. @throws AppError 404, also 'Reply not found' */
export async function findReply(
  ctx: Reader,
  path: { boardId: string; threadId: string; commentId: string; replyId: string },
) {
  const found = await findComment(ctx, path.boardId, path.threadId, path.commentId)
  const [reply] = await ctx.db
    .select(postColumns)
    .from(post)
    .where(and(eq(post.id, parsePostId(path.replyId) ?? 0), eq(post.parentId, found.comment.id)))
  if (!reply) throw errors.notFound(boardMessages.replyNotFound)
  return { ...found, reply }
}
