import { and, asc, desc, eq, isNull, ne, not, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { post, thread } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import {
  type BoardPage,
  type BoardView,
  boardLimits,
  boardMessages,
  type PostRef,
  type ThreadPage,
  type ThreadView,
} from '#src/contract/board.ts'
import { formatCursor, parseCursor, type ThreadCursor } from '#src/contract/threadCursor.ts'
import { excerptSource } from '#src/lib/excerpt.ts'
import { findBoard } from './boards.ts'
import { findThread, postColumns, threadColumns } from './queries.ts'
import { readQuotes } from './quotes.ts'
import { commentViews, listedView, type PostRow, type ThreadRow, threadView } from './view.ts'

type Reader = Pick<Services, 'db'>

export type ThreadList = { board: BoardView; threads: ThreadView[]; nextCursor: string | null; lastEventId: string }

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
  const listed = await readThreadRows(ctx, boardId, {
    after: parseCursor(cursor),
    comments: boardLimits.latestComments,
    textOf: ({ content, links, isPinnedOpening }, order) => {
      const bytes = sql`octet_length(${content}) + octet_length(${links}::text) + ${POST_OVERHEAD_BYTES}::int`
      const before = sql`sum(${bytes}) over (order by ${order} rows between unbounded preceding and 1 preceding)`
      return sql<string | null>`case when ${isPinnedOpening} or coalesce(${before}, 0) < ${ctx.config.limits.listBytes}
        then ${content} end`
    },
  })
  const page = dropTruncated(listed).slice(0, boardLimits.threadsPerPage)
  const shown = page.flatMap(({ posts }) => posts.map(({ id, threadId }) => ({ id, threadId, boardId })))
  const quotes = await readShownQuotes(ctx, shown, MAX_LIST_QUOTES)
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

export async function readBoardPage(ctx: Reader, boardId: string, cursor?: string): Promise<BoardPage> {
  const { board, lastEventId } = await findBoard(ctx, boardId)
  const listed = await readThreadRows(ctx, boardId, {
    after: parseCursor(cursor),
    comments: 1,
    textOf: ({ content }) => sql<string>`left(${content}, ${excerptSource})`,
  })
  const page = listed.slice(0, boardLimits.threadsPerPage)
  return {
    board,
    threads: page.flatMap(({ head, posts }) => listedView(head, posts) ?? []),
    nextCursor: findNextCursor(listed, page.length),
    lastEventId,
  }
}

type Listed<Post> = { head: ThreadRow; posts: Post[] }
type ListedPost<Text> = Omit<PostRow, 'content'> & { threadId: number; content: Text }

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

type ListOptions<Text> = {
  after: ThreadCursor | null
  comments: number
  /** SQL for the text column; `order` is the order of all posts in the list */
  textOf: (columns: { content: SQLWrapper; links: SQLWrapper; isPinnedOpening: SQL }, order: SQL) => SQL<Text>
}

/**
 * Reads the threads after a cursor, each with its opening post and newest comments. The first page begins with the
 * pinned threads, which no later page repeats. Reads one extra thread to detect a next page. Each post is its own row, because joined columns would repeat the opening post for each comment.
 */
async function readThreadRows<Text>(
  { db }: Reader,
  boardId: string,
  { after, comments, textOf }: ListOptions<Text>,
): Promise<Listed<ListedPost<Text>>[]> {
  const activity = [desc(thread.lastActivity), desc(thread.id)]
  const pinned = db
    .select(threadColumns)
    .from(thread)
    .where(and(eq(thread.boardId, boardId), thread.pinned, isNull(thread.deletedAt)))
    .orderBy(...activity)
    .limit(boardLimits.pinnedThreads)
  // `= any` makes the planner use the board's index. With `=`, it may scan the index of all boards instead.
  const unpinned = db
    .select(threadColumns)
    .from(thread)
    .where(
      and(
        sql`${thread.boardId} = any(array[${boardId}])`,
        isNull(thread.deletedAt),
        not(thread.pinned),
        after
          ? sql`(${thread.lastActivity}, ${thread.id}) < (${after.lastActivity.toISOString()}, ${after.id})`
          : undefined,
      ),
    )
    .orderBy(asc(thread.boardId), ...activity)
    .limit(boardLimits.threadsPerPage + 1)
  const page = (after ? unpinned : unionAll(pinned, unpinned)).as('page')
  const opening = db.select(postColumns).from(post).where(eq(post.id, page.id))
  const newest = db
    .select(postColumns)
    .from(post)
    .where(and(eq(post.threadId, page.id), isNull(post.parentId), ne(post.id, page.id)))
    .orderBy(desc(post.id))
    .limit(comments)
  const shown = unionAll(opening, newest).as('shown')
  const order = sql`${page.pinned} desc, ${page.lastActivity} desc, ${page.id} desc, ${shown.id} = ${page.id} desc, ${shown.id} desc`
  const { content: _content, ...others } = postColumns
  const isPinnedOpening = sql`(${page.pinned} and ${shown.id} = ${page.id})`
  const textColumns = { content: shown.content, links: shown.links, isPinnedOpening }
  const rows = await db
    .select({ head: pick(page, threadColumns), shown: pick(shown, others), text: textOf(textColumns, order) })
    .from(page)
    .innerJoinLateral(shown, sql`true`)
    .orderBy(order)
  const listed = new Map<number, Listed<ListedPost<Text>>>()
  for (const { head, shown, text } of rows) {
    const row = { ...shown, content: text }
    const existing = listed.get(head.id)
    if (existing) existing.posts.push(row)
    else listed.set(head.id, { head, posts: [row] })
  }
  return [...listed.values()]
}

const pick = <Name extends string, From extends Record<Name, unknown>>(from: From, names: Record<Name, unknown>) =>
  Object.fromEntries(Object.keys(names).map((name) => [name, from[name as Name]])) as Pick<From, Name>

const readShownQuotes = ({ db }: Reader, shown: PostRef[], maxQuotes?: number) =>
  readQuotes(
    db,
    shown.map(({ id }) => id),
    shown,
    maxQuotes,
  )

/** Reads a thread, oldest comment first. @throws AppError 404 'Board not found' or 'Thread not found' */
export async function readThread({ db }: Reader, boardId: string, threadText: string): Promise<ThreadPage> {
  const { board, thread: head, lastEventId } = await findThread({ db }, boardId, threadText)
  const { id } = head
  const posts = await db.select(postColumns).from(post).where(eq(post.threadId, id)).orderBy(asc(post.id))
  const [opening] = posts
  // The thread was deleted between the two queries.
  if (!opening || opening.id !== id) throw errors.notFound(boardMessages.threadNotFound, { gone: true })
  const quotes = await readShownQuotes(
    { db },
    posts.map((row) => ({ id: row.id, threadId: id, boardId })),
  )
  return {
    board,
    thread: threadView(head, opening, commentViews(id, posts, quotes), quotes),
    lastEventId,
  }
}
