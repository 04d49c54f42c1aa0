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
import { createKeptViewOf, readKeptThread } from './keptThreads.ts'
import { addDetails, type CardReader } from './linkCards.ts'
import { type FoundThread, findThread, shownColumns } from './queries.ts'
import {
  type Listed,
  type ListedPost,
  readThreadRows,
  selectAllThreads,
  selectBoardThreads,
  textWithin,
} from './threadRows.ts'
import { commentViews, createViewOf, listedView, threadView } from './view.ts'

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
      return opening ? threadView(head, opening, commentViews(head.id, posts, createViewOf(quotes)), quotes) : []
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

/** Imported threads can have more posts. A page of so many posts has 14 MB. */
const MAX_READ_POSTS = 10_000

/** Reads a thread, oldest comment first. @throws AppError 404 'Board not found' or 'Thread not found' */
export async function readThread(
  ctx: CardReader & Pick<Services, 'cache'>,
  boardId: string,
  threadText: string,
): Promise<ThreadPage> {
  const { board, thread: head, lastEventId } = await findThread(ctx, boardId, threadText)
  const { id } = head
  const omitted = countOmitted(head, MAX_READ_POSTS)
  const kept = omitted > 0 ? null : await readKeptThread(ctx, board.id, id)
  // The posts get details, which those that are kept do not have.
  const posts = kept ? [...kept.posts.values()].map(({ row }) => ({ ...row })) : await readPosts(ctx, id, omitted)
  const [opening] = posts
  if (opening?.id !== id) throw createGoneError()
  const quotes = await readThreadQuotes(ctx, board.id, id, posts)
  await addDetails(ctx, posts)
  const comments = commentViews(id, posts, kept ? createKeptViewOf(kept, quotes) : createViewOf(quotes))
  return { board, thread: threadView(head, opening, comments, quotes), lastEventId, ...(omitted > 0 && { omitted }) }
}

/**
 * Reads the posts of a thread by number, the opening post first.
 * @param maxPosts omits the oldest other posts of a longer thread
 * @throws AppError 404 as `readThread`
 */
export async function readThreadPosts(
  ctx: Reader,
  boardId: string,
  threadText: string,
  maxPosts: number = MAX_READ_POSTS,
) {
  const { board, thread: head, lastEventId } = await findThread(ctx, boardId, threadText)
  const { id } = head
  const omitted = countOmitted(head, maxPosts)
  const [opening, ...others] = await readPosts(ctx, id, omitted)
  if (opening?.id !== id) throw createGoneError()
  const posts: [typeof opening, ...typeof others] = [opening, ...others]
  return { board, head, posts, omitted, quotes: await readThreadQuotes(ctx, board.id, id, posts), lastEventId }
}

const countOmitted = ({ commentCount, replyCount }: FoundThread['thread'], maxPosts: number) =>
  Math.max(0, 1 + commentCount + replyCount - maxPosts)

/** The thread was deleted after its head was read. */
const createGoneError = () => errors.notFound(refusal('board.threadNotFound'), { gone: true })

function readPosts({ db }: Reader, id: number, omitted: number) {
  const oldest = sql`(select id from ${shownPost} where ${shownPost.threadId} = ${id} order by id offset ${omitted + 1} limit 1)`
  const isRead = omitted > 0 ? or(eq(shownPost.id, id), gte(shownPost.id, oldest)) : undefined
  return db
    .select(shownColumns)
    .from(shownPost)
    .where(and(eq(shownPost.threadId, id), isRead))
    .orderBy(asc(shownPost.id))
}

const readThreadQuotes = (ctx: Reader, boardId: string, threadId: number, posts: { id: number }[]) =>
  readShownQuotes(
    ctx,
    posts.map(({ id }) => ({ id, threadId, boardId })),
  )
