import { and, asc, desc, eq, isNull, ne, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { board, post, thread } from '#db/schema/index.ts'
import { watermark } from '#server/core/changes.ts'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import {
  type BoardView,
  boardLimits,
  boardMessages,
  type PostRef,
  type ThreadPage,
  type ThreadView,
} from '#src/contract/board.ts'
import { parseCursor, type ThreadCursor, writeCursor } from '#src/contract/threadCursor.ts'
import { boardColumns, findBoard } from './boards.ts'
import { isBoard, isThread, postColumns, requireThread, threadColumns } from './find.ts'
import { isBoardId } from './ids.ts'
import { readQuotes } from './quotes.ts'
import { commentViews, type PostRow, type ThreadRow, threadView } from './view.ts'

type Reader = Pick<Services, 'db'>
type ListedPost = PostRow & { threadId: number }

const quotesWithin = ({ db }: Reader, shown: PostRef[]) =>
  readQuotes(
    db,
    shown.map(({ id }) => id),
    shown,
  )

/** A page of a board's threads, latest activity first; `nextCursor` goes on after the last one. */
export type ThreadList = { board: BoardView; threads: ThreadView[]; nextCursor: string | null; lastEventId: string }

/** @throws AppError 404 'Board not found' */
export async function listThreads(ctx: Reader, boardId: string, cursor?: string): Promise<ThreadList> {
  const { lastEventId, ...found } = await findBoard(ctx, boardId, { lastEventId: watermark })
  const listed = await readListed(ctx, boardId, parseCursor(cursor))
  const page = listed.slice(0, boardLimits.threadsPerPage)
  const shown = page.flatMap(({ posts }) => posts.map(({ id, threadId }) => ({ id, threadId, boardId })))
  const quotes = await quotesWithin(ctx, shown)
  const last = page.at(-1)?.head
  return {
    board: found,
    threads: page.flatMap(({ head, posts }) => {
      const opening = posts.find(({ id }) => id === head.id)
      return opening ? threadView(head, opening, commentViews(head.id, posts, quotes), quotes) : []
    }),
    nextCursor: listed.length > page.length && last ? writeCursor(last) : null,
    lastEventId,
  }
}

/**
 * The threads behind a cursor, one more than a page has, each with its opening post and its newest few comments,
 * newest first. Posts are rows of their own: beside each comment the text of the opening post would come once more.
 */
async function readListed({ db }: Reader, boardId: string, after: ThreadCursor | null) {
  // A list of one board, and in the order of its index: from an equality the planner learns that the index of all boards
  // has that order too, and may walk through every thread of the others.
  const page = db
    .select(threadColumns)
    .from(thread)
    .where(
      and(
        sql`${thread.boardId} = any(array[${boardId}])`,
        isNull(thread.deletedAt),
        after
          ? sql`(${thread.lastActivity}, ${thread.id}) < (${after.lastActivity.toISOString()}, ${after.id})`
          : undefined,
      ),
    )
    .orderBy(asc(thread.boardId), desc(thread.lastActivity), desc(thread.id))
    .limit(boardLimits.threadsPerPage + 1)
    .as('page')
  const opening = db.select(postColumns).from(post).where(eq(post.id, page.id))
  const newest = db
    .select(postColumns)
    .from(post)
    .where(and(eq(post.threadId, page.id), isNull(post.parentId), ne(post.id, page.id)))
    .orderBy(desc(post.id))
    .limit(boardLimits.latestComments)
  const shown = unionAll(opening, newest).as('shown')
  const rows = await db
    .select()
    .from(page)
    .innerJoinLateral(shown, sql`true`)
    .orderBy(desc(page.lastActivity), desc(page.id), desc(shown.id))
  const listed = new Map<number, { head: ThreadRow; posts: ListedPost[] }>()
  for (const { page: head, shown: row } of rows) {
    const known = listed.get(head.id)
    if (known) known.posts.push(row)
    else listed.set(head.id, { head, posts: [row] })
  }
  return [...listed.values()]
}

/** A whole thread, oldest comment first. @throws AppError 404 'Board not found' or 'Thread not found' */
export async function readThread({ db }: Reader, boardId: string, threadText: string): Promise<ThreadPage> {
  const rows = isBoardId(boardId)
    ? await db
        .select({ board: boardColumns, thread: threadColumns, lastEventId: watermark })
        .from(board)
        .leftJoin(thread, isThread(threadText))
        .where(isBoard(boardId))
    : []
  const found = requireThread(rows[0])
  const { id } = found.thread
  const posts = await db.select(postColumns).from(post).where(eq(post.threadId, id)).orderBy(asc(post.id))
  const [opening] = posts
  // Deleted between the two queries.
  if (!opening || opening.id !== id) throw errors.notFound(boardMessages.threadNotFound, { gone: true })
  const quotes = await quotesWithin(
    { db },
    posts.map((row) => ({ id: row.id, threadId: id, boardId })),
  )
  return {
    board: found.board,
    thread: threadView(found.thread, opening, commentViews(id, posts, quotes), quotes),
    lastEventId: found.lastEventId,
  }
}
