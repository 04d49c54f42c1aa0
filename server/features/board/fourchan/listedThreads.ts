import { desc, gt, sql } from 'drizzle-orm'
import { quote, shownPost, thread } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { findBoard } from '#server/features/board/boards/boards.ts'
import { idList } from '#server/features/board/quotes.ts'
import { pick, threadColumns } from '#server/features/board/read/queries.ts'
import {
  readThreadRows,
  selectBoardThreads,
  type ThreadHeads,
  textWithin,
} from '#server/features/board/read/threadRows.ts'
import type { PostRef } from '#src/contract/post.ts'
import type { FourchanHead, ListedPostRow, QuoteTargets } from './fourchanPosts.ts'

type Reader = Pick<Services, 'db'>

export type ListedThread = {
  /** `imageCount` includes the image of the opening post */
  head: FourchanHead & { imageCount: number }
  opening: ListedPostRow
  /** the newest answers, oldest first */
  newest: ListedPostRow[]
}
/** Limits the size of a list: posts after these bytes of text come without a text. */
const MAX_TEXT_BYTES = 2_000_000

type Range = { skip: number; limit: number; answers: number }

/**
 * Reads threads in the order of the board's pages, each with its newest comments and replies.
 * @throws AppError 404 'Board not found'
 */
export async function readListedThreads(
  { db }: Reader,
  boardId: string,
  { skip, limit, answers }: Range,
): Promise<ListedThread[]> {
  await findBoard({ db }, boardId)
  const all = selectBoardThreads({ db }, boardId, { after: null, limit: skip + limit })
  const page = db
    .select(pick(all, threadColumns))
    .from(all)
    .orderBy(desc(all.pinned), desc(all.lastActivity), desc(all.id))
    .limit(limit)
    .offset(skip)
    .as('page') as ThreadHeads
  const listed = await readThreadRows(
    { db },
    {
      page,
      answers,
      isListed: gt(shownPost.id, page.id),
      textOf: ({ content }, order) => textWithin(content, sql`octet_length(${content})`, order, MAX_TEXT_BYTES),
    },
  )
  return listed.flatMap(({ head, posts: [opening, ...newest] }) =>
    opening?.id === head.id ? { head, opening, newest: newest.reverse() } : [],
  )
}

/** Limits a list with many links. Other links are shown like links to missing posts. */
const MAX_QUOTES = 3000

/** Reads what listed posts link to, without looking up links from one listed post to another. */
export async function readQuoteTargets({ db }: Pick<Services, 'db'>, listed: PostRef[]): Promise<QuoteTargets> {
  const targets = new Map<number, PostRef[]>()
  if (listed.length === 0) return targets
  const known = new Map(listed.map((ref) => [ref.id, ref]))
  const ids = [...known.keys()]
  // The `between` is redundant, but makes the planner use the index. `offset 0` keeps it from joining whole tables.
  const rows = await db.execute<{ from: string; to: string; threadId: string | null; boardId: string | null }>(sql`
    select ${quote.fromId} as "from", ${quote.toId} as "to", location.thread_id::text as "threadId",
      location.board_id as "boardId"
    from ${quote} left join lateral (
      select ${shownPost.threadId}, ${thread.boardId} from ${shownPost} join ${thread} on ${thread.id} = ${shownPost.threadId}
      where ${shownPost.id} = ${quote.toId} and not ${quote.toId} in (select unnest(${idList(ids)})) offset 0) location on true
    where ${quote.fromId} = any(${idList(ids)}) and ${quote.fromId} between ${Math.min(...ids)} and ${Math.max(...ids)}
    limit ${MAX_QUOTES}::int`)
  for (const { from, to, threadId, boardId } of rows) {
    const id = Number(to)
    const found = threadId !== null && boardId !== null ? { id, threadId: Number(threadId), boardId } : undefined
    const target = known.get(id) ?? found
    if (target) targets.set(Number(from), [...(targets.get(Number(from)) ?? []), target])
  }
  return targets
}
