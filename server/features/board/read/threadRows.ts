import { and, desc, eq, gt, isNull, ne, not, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { pick } from '#db/schema/columns.ts'
import { shownPost, thread } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { findBoard } from '#server/features/board/boards/boards.ts'
import { boardLimits } from '#src/contract/board.ts'
import { parseCursor } from '#src/contract/thread.ts'
import { isBefore, isLive, isOnBoard, shownColumns, threadColumns } from './queries.ts'
import type { PostRow } from './view.ts'

type Reader = Pick<Services, 'db'>

/** A subquery of live threads, to which readers join their posts. */
type ThreadHeads = ReturnType<typeof selectAllThreads>

/**
 * Selects a board's threads after a cursor by latest activity. Without a cursor, the pinned threads come first, beyond
 * the limit; no other page has them.
 */
export function selectBoardThreads({ db }: Reader, boardId: string, limit: number, cursor?: string): ThreadHeads {
  const after = parseCursor(cursor)
  const isPinned = and(eq(thread.boardId, boardId), thread.pinned, isLive)
  const max = boardLimits.pinnedThreads
  const pinned = db.select(threadColumns).from(thread).where(isPinned).orderBy(activity).limit(max)
  const isListed = and(isOnBoard(boardId), isLive, not(thread.pinned), after ? isBefore(after) : undefined)
  const order = sql`${thread.boardId}, ${activity}`
  const unpinned = db.select(threadColumns).from(thread).where(isListed).orderBy(order).limit(limit)
  return (after ? unpinned : unionAll(pinned, unpinned)).as('page')
}

/** Selects the threads of all boards after a cursor by latest activity. */
export function selectAllThreads({ db }: Reader, limit: number, cursor?: string) {
  const after = parseCursor(cursor)
  const isListed = and(isLive, after ? isBefore(after) : undefined)
  return db.select(threadColumns).from(thread).where(isListed).orderBy(activity).limit(limit).as('page')
}

const activity = sql`${thread.lastActivity} desc, ${thread.id} desc`

/** A thread of a list, with its newest answers */
export type Listed<Post> = { head: typeof thread.$inferSelect; opening: Post; answers: Post[] }
export type ListedPost<Text> = Omit<PostRow, 'content'> & { threadId: number; fileDeleted: boolean; content: Text }

type ListOptions<Text> = {
  page: ThreadHeads
  isPinnedFirst?: boolean
  /** the most answers of a thread */
  answers: number
  /** which answers are listed; by default live comments */
  isListed?: SQL | undefined
  /** SQL for the text column; `order` is the order of all posts in the list */
  textOf: (columns: { content: SQLWrapper; links: SQLWrapper; isPinnedOpening: SQL }, order: SQL) => SQL<Text>
}

/**
 * Reads the threads of `page`, each with its newest answers, the newest first. Each post is its own row, because joined
 * columns would repeat the opening post for each answer.
 */
export async function readThreadRows<Text>(
  { db }: Reader,
  { page, isPinnedFirst = true, answers, isListed = isLiveComment(page), textOf }: ListOptions<Text>,
): Promise<Listed<ListedPost<Text>>[]> {
  // The limit makes the planner look up each opening post instead of reading all posts.
  const opening = db.select(shownColumns).from(shownPost).where(eq(shownPost.id, page.id)).limit(1)
  const isAnswer = and(eq(shownPost.threadId, page.id), isListed)
  const newest = db.select(shownColumns).from(shownPost).where(isAnswer).orderBy(desc(shownPost.id)).limit(answers)
  const shown = (answers === 0 ? opening : unionAll(opening, newest)).as('shown')
  const activity = isPinnedFirst ? sql`${page.pinned} desc, ${page.lastActivity}` : page.lastActivity
  const order = sql`${activity} desc, ${page.id} desc, ${shown.id} = ${page.id} desc, ${shown.id} desc`
  const { content: _content, ...others } = shownColumns
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
    // An opening post comes before its answers.
    if (row.id === head.id) listed.set(head.id, { head, opening: row, answers: [] })
    else listed.get(head.id)?.answers.push(row)
  }
  return [...listed.values()]
}

export type OrderedThread = Listed<ListedPost<string | null>>

/** Limits the size of a list: posts after these bytes of text come without a text. */
const MAX_TEXT_BYTES = 2_000_000

/**
 * Reads threads in the order of the board's pages, each with its newest comments and replies, the oldest first.
 * @throws AppError 404 'Board not found'
 */
export async function readOrderedThreads(
  { db }: Reader,
  boardId: string,
  { skip, limit, answers }: { skip: number; limit: number; answers: number },
): Promise<OrderedThread[]> {
  await findBoard({ db }, boardId)
  const all = selectBoardThreads({ db }, boardId, skip + limit)
  const order = sql`${all.pinned} desc, ${all.lastActivity} desc, ${all.id} desc`
  const selected = db.select(pick(all, threadColumns)).from(all).orderBy(order).limit(limit).offset(skip)
  const page = selected.as('page') as ThreadHeads
  const options: ListOptions<string | null> = {
    ...{ page, answers, isListed: gt(shownPost.id, page.id) },
    textOf: ({ content }, order) => textWithin(content, sql`octet_length(${content})`, order, MAX_TEXT_BYTES),
  }
  const listed = await readThreadRows({ db }, options)
  return listed.map((one) => ({ ...one, answers: one.answers.reverse() }))
}

/** Lists show no stubs of comments. */
const isLiveComment = (page: ThreadHeads) =>
  and(isNull(shownPost.parentId), ne(shownPost.id, page.id), sql`${shownPost.state} = 'live'`)

/** Returns SQL for a text, which is null if the posts before it in a list have `max` bytes or more. */
export const textWithin = (content: SQLWrapper, bytes: SQL, order: SQL, max: number) =>
  sql<string | null>`case when coalesce(sum(${bytes}) over (order by ${order}
    rows between unbounded preceding and 1 preceding), 0) < ${max}::bigint then ${content} end`
