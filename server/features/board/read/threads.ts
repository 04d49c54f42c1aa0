import { and, asc, eq, gte, isNull, or, type SQLWrapper, sql } from 'drizzle-orm'
import { board, shownPost } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { boardOrder, findBoard } from '#server/features/board/boards/boards.ts'
import { readQuotes } from '#server/features/board/quotes.ts'
import { type BoardView, boardLimits } from '#src/contract/board.ts'
import type { PostRef } from '#src/contract/post.ts'
import { refusal } from '#src/contract/refusal.ts'
import {
  type BoardPage,
  formatCursor,
  type Overboard,
  parseCursor,
  type ThreadPage,
  type ThreadView,
} from '#src/contract/thread.ts'
import { excerptSource } from '#src/lib/excerpt.ts'
import { addDetails, type CardReader } from './linkCards.ts'
import { findThread, shownColumns } from './queries.ts'
import {
  type Listed,
  type ListedPost,
  readThreadRows,
  selectAllThreads,
  selectBoardThreads,
  textWithin,
} from './threadRows.ts'
import { commentViews, listedView, threadView } from './view.ts'

type Reader = Pick<Services, 'db'>

type ThreadList = { board: BoardView; threads: ThreadView[]; nextCursor: string | null; lastEventId: string }

/** Limits the quotes between listed posts, and separately all other quotes, to keep responses small. */
const MAX_LIST_QUOTES = 1000
/** Estimated bytes of a post in a response, without its text. */
const POST_OVERHEAD_BYTES = 300

/**
 * Lists threads with their newest comments. At the byte limit, the page ends early. Pinned threads and the first thread
 * stay on the page at the limit, with fewer comments.
 * @throws AppError 404 'Board not found'
 */
export async function listThreads(
  ctx: Pick<Services, 'db' | 'config'>,
  boardId: string,
  cursor?: string,
): Promise<ThreadList> {
  const { board, lastEventId } = await findBoard(ctx, boardId)
  const listed = await readThreadRows(ctx, {
    page: selectBoardThreads(ctx, boardId, { after: parseCursor(cursor), limit: boardLimits.threadsPerPage + 1 }),
    answers: boardLimits.latestComments,
    textOf: ({ content, links, isPinnedOpening }, order) => {
      const bytes = sql`octet_length(${content}) + octet_length(${links}::text) + ${POST_OVERHEAD_BYTES}::int`
      const text = textWithin(content, bytes, order, ctx.config.limits.listBytes)
      return sql<string | null>`case when ${isPinnedOpening} then ${content} else ${text} end`
    },
  })
  const page = dropTruncated(listed).slice(0, boardLimits.threadsPerPage)
  const shown = page.flatMap(({ posts }) => posts.map(({ id, threadId }) => ({ id, threadId, boardId })))
  const quotes = await readShownQuotes(ctx, shown, { maxQuotes: MAX_LIST_QUOTES })
  return {
    board,
    threads: page.flatMap(({ head, posts }) => {
      const opening = posts.find(({ id }) => id === head.id)
      return opening ? threadView(head, opening, commentViews(head.id, posts, quotes), quotes) : []
    }),
    nextCursor: findNextCursor(listed, page.length),
    lastEventId,
  }
}

/** Lists the threads of all boards by latest activity. */
export async function readOverboard(ctx: Reader, cursor?: string): Promise<Overboard> {
  const listed = await readThreadRows(ctx, {
    page: selectAllThreads(ctx, { after: parseCursor(cursor), limit: boardLimits.threadsPerPage + 1 }),
    isPinnedFirst: false,
    answers: 1,
    textOf: listedText,
  })
  const boards = await ctx.db
    .select({ id: board.id, name: board.name })
    .from(board)
    .where(isNull(board.deletedAt))
    .orderBy(...boardOrder)
  return { boards, ...listedPage(listed) }
}

export async function readBoardPage(ctx: Reader, boardId: string, cursor?: string): Promise<BoardPage> {
  const { board, lastEventId } = await findBoard(ctx, boardId)
  const listed = await readThreadRows(ctx, {
    page: selectBoardThreads(ctx, boardId, { after: parseCursor(cursor), limit: boardLimits.threadsPerPage + 1 }),
    answers: board.latestReplies,
    textOf: listedText,
  })
  return { board, ...listedPage(listed), lastEventId }
}

const listedText = ({ content }: { content: SQLWrapper }) => sql<string>`left(${content}, ${excerptSource})`

function listedPage(listed: Listed<ListedPost<string>>[]) {
  const page = listed.slice(0, boardLimits.threadsPerPage)
  return {
    threads: page.flatMap(({ head, posts }) => listedView(head, posts) ?? []),
    nextCursor: findNextCursor(listed, page.length),
  }
}

/** Returns the cursor after the page's last thread, or before the next thread if the page has only pinned threads. */
function findNextCursor(listed: Listed<unknown>[], pageLength: number): string | null {
  const last = listed[pageLength - 1]?.head
  const next = listed[pageLength]?.head
  if (!last || !next) return null
  return formatCursor(last.pinned ? { lastActivity: next.lastActivity, id: next.id + 1 } : last)
}

/**
 * Ends the list before the first thread with a null text (beyond the byte limit). Always keeps the first thread and
 * pinned threads, without the comments beyond the limit.
 */
function dropTruncated(listed: Listed<ListedPost<string | null>>[]): Listed<ListedPost<string>>[] {
  const isWhole = listed.map(({ head, posts }) => head.pinned || posts.every(({ content }) => content !== null))
  const end = isWhole.indexOf(false)
  return listed.slice(0, end < 0 ? undefined : Math.max(1, end)).map(({ head, posts }) => ({
    head,
    posts: posts.flatMap(({ content, ...post }) => (content === null ? [] : { ...post, content })),
  }))
}

export const readShownQuotes = (
  { db }: Reader,
  shown: PostRef[],
  options: { maxQuotes?: number; hasBacklinks?: boolean } = {},
) =>
  readQuotes(
    db,
    shown.map(({ id }) => id),
    { known: shown, ...options },
  )

/** Reads a thread, oldest comment first. @throws AppError 404 'Board not found' or 'Thread not found' */
export async function readThread(
  ctx: CardReader & Pick<Services, 'pageThread'>,
  boardId: string,
  threadText: string,
): Promise<ThreadPage> {
  const { board, head, posts, omitted, quotes, lastEventId } = await readThreadPosts(ctx, boardId, threadText)
  const { id } = head
  await addDetails(ctx, posts)
  const [opening] = posts
  const thread = threadView(head, opening, commentViews(id, posts, quotes), quotes)
  return { board, thread, lastEventId, ...(omitted > 0 && { omitted }) }
}

/** Imported threads can have more posts. A page of so many posts has 14 MB. */
const MAX_READ_POSTS = 10_000

/**
 * Reads the posts of a thread by number, the opening post first.
 * @param maxPosts omits the oldest other posts of a longer thread
 * @throws AppError 404 as `readThread`
 */
export async function readThreadPosts(
  { db, pageThread }: Reader & Pick<Services, 'pageThread'>,
  boardId: string,
  threadText: string,
  maxPosts: number = MAX_READ_POSTS,
) {
  const { board, thread: head, lastEventId } = pageThread ?? (await findThread({ db }, boardId, threadText))
  const { id } = head
  const omitted = Math.max(0, 1 + head.commentCount + head.replyCount - maxPosts)
  const oldest = sql`(select id from ${shownPost} where ${shownPost.threadId} = ${id} order by id offset ${omitted + 1} limit 1)`
  const isRead = omitted > 0 ? or(eq(shownPost.id, id), gte(shownPost.id, oldest)) : undefined
  const [opening, ...others] = await db
    .select(shownColumns)
    .from(shownPost)
    .where(and(eq(shownPost.threadId, id), isRead))
    .orderBy(asc(shownPost.id))
  // The thread was deleted between the two queries.
  if (!opening || opening.id !== id) throw errors.notFound(refusal('board.threadNotFound'), { gone: true })
  const posts: [typeof opening, ...typeof others] = [opening, ...others]
  const quotes = await readShownQuotes(
    { db },
    posts.map((row) => ({ id: row.id, threadId: id, boardId: board.id })),
  )
  return { board, head, posts, omitted, quotes, lastEventId }
}
