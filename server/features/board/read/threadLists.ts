import { type SQLWrapper, sql } from 'drizzle-orm'
import type { Services } from '#server/core/context.ts'
import { findBoard } from '#server/features/board/boards/boards.ts'
import { readQuotes } from '#server/features/board/quotes.ts'
import { type BoardView, boardLimits } from '#src/contract/board.ts'
import {
  type BoardPage,
  type CatalogPage,
  formatCursor,
  type LatestThread,
  type Overboard,
  type ThreadView,
} from '#src/contract/thread.ts'
import { excerptSource } from '#src/lib/excerpt.ts'
import {
  type Listed,
  type ListedPost,
  readThreadRows,
  selectAllThreads,
  selectBoardThreads,
  textWithin,
} from './threadRows.ts'
import { catalogView, commentViews, createViewOf, latestThreadView, listedView, threadView } from './view.ts'

type Reader = Pick<Services, 'db'>

/** Threads of a page. Readers ask for one more, to know whether there is a next page. */
const PAGE = boardLimits.threadsPerPage

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
    page: selectBoardThreads(ctx, boardId, PAGE + 1, cursor),
    answers: boardLimits.latestComments,
    textOf: ({ content, links, isPinnedOpening }, order) => {
      const bytes = sql`octet_length(${content}) + octet_length(${links}::text) + ${POST_OVERHEAD_BYTES}::int`
      const text = textWithin(content, bytes, order, ctx.config.limits.listBytes)
      return sql<string | null>`case when ${isPinnedOpening} then ${content} else ${text} end`
    },
  })
  const page = dropTruncated(listed).slice(0, PAGE)
  const posts = page.flatMap(({ opening, answers }) => [opening, ...answers])
  const shown = posts.map((one) => ({ ...one, boardId }))
  const quotes = await readQuotes(ctx.db, shown, { maxQuotes: MAX_LIST_QUOTES })
  return {
    board,
    threads: page.map(({ head, opening, answers }) =>
      threadView(head, opening, commentViews(head.id, answers, createViewOf(quotes)), quotes),
    ),
    nextCursor: findNextCursor(listed, page.length),
    lastEventId,
  }
}

/** Lists the threads of all boards by latest activity. */
export async function readOverboard(ctx: Reader & Pick<Services, 'knownBoards'>, cursor?: string): Promise<Overboard> {
  const page = selectAllThreads(ctx, PAGE + 1, cursor)
  const listed = await readExcerpts(ctx, { page, isPinnedFirst: false, answers: 1 })
  const boards = (await ctx.knownBoards()).map(({ id, name }) => ({ id, name }))
  return { boards, ...listedPage(listed, PAGE, listedView) }
}

/** Lists the threads of a board with the beginning of their posts. @throws AppError 404 'Board not found' */
export async function readBoardPage(ctx: Reader, boardId: string, cursor?: string): Promise<BoardPage> {
  const { board, lastEventId } = await findBoard(ctx, boardId)
  const page = selectBoardThreads(ctx, boardId, PAGE + 1, cursor)
  const listed = await readExcerpts(ctx, { page, answers: board.latestReplies })
  return { board, ...listedPage(listed, PAGE, listedView), lastEventId }
}

/**
 * Lists the pinned and the most recently active threads of a board, with the beginning of their opening posts.
 * @throws AppError 404 'Board not found'
 */
export async function readCatalog(ctx: Reader, boardId: string): Promise<CatalogPage> {
  const { board, lastEventId } = await findBoard(ctx, boardId)
  const limit = boardLimits.catalogThreads
  const page = selectBoardThreads(ctx, boardId, limit + 1)
  const listed = await readExcerpts(ctx, { page, answers: 0 })
  return { board, ...listedPage(listed, limit, catalogView), lastEventId }
}

/** Lists the threads with the latest activity. */
export async function listLatestThreads(ctx: Reader, count: number): Promise<LatestThread[]> {
  const page = selectAllThreads(ctx, count)
  const listed = await readExcerpts(ctx, { page, isPinnedFirst: false, answers: 0 })
  return listed.map(({ head, opening }) => latestThreadView(head, opening))
}

type Excerpts = Omit<Parameters<typeof readThreadRows>[1], 'textOf'>

/** Reads threads with as much of their posts' texts as excerpts need. */
const readExcerpts = (ctx: Reader, options: Excerpts) =>
  readThreadRows(ctx, {
    ...options,
    textOf: ({ content }: { content: SQLWrapper }) => sql<string>`left(${content}, ${excerptSource})`,
  })

type ListedRows = Listed<ListedPost<string>>

function listedPage<View>(
  listed: ListedRows[],
  size: number,
  viewOf: (head: ListedRows['head'], opening: ListedPost<string>, answers: ListedPost<string>[]) => View,
) {
  const page = listed.slice(0, size)
  return {
    threads: page.map(({ head, opening, answers }) => viewOf(head, opening, answers)),
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
  const isWhole = listed.map(({ head, opening, answers }) => head.pinned || [opening, ...answers].every(hasText))
  const end = isWhole.indexOf(false)
  return listed
    .slice(0, end < 0 ? undefined : Math.max(1, end))
    .flatMap(({ head, opening, answers }) =>
      hasText(opening) ? { head, opening, answers: answers.filter(hasText) } : [],
    )
}

const hasText = (post: ListedPost<string | null>): post is ListedPost<string> => post.content !== null
