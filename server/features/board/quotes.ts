import { type Column, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Database, Transaction } from '#db/client.server.ts'
import { post, quote, thread } from '#db/schema/index.ts'
import type { TopicChange } from '#server/core/events/event.ts'
import { publish } from '#server/core/events/writeAndPublish.ts'
import { boardLimits, type PostRef } from '#src/contract/board.ts'
import { quotedPosts } from '#src/lib/markup.ts'

/** Writes down which existing posts a new one quotes; the first fifty different ones count. */
export async function writeQuotes(tx: Transaction, fromId: number, content: string): Promise<number[]> {
  const wanted = quotedPosts(content, boardLimits.quotes).filter((id) => id !== fromId)
  if (wanted.length === 0) return []
  // Shared locks: a quoted post cannot be deleted between being found and being quoted.
  const existing = await tx
    .select({ id: post.id })
    .from(post)
    .where(inArray(post.id, wanted))
    .orderBy(post.id)
    .for('key share')
  if (existing.length === 0) return []
  await tx.insert(quote).values(existing.map(({ id }) => ({ fromId, toId: id })))
  return existing.map(({ id }) => id)
}

export type Quotes = { quotes: Map<number, PostRef[]>; quotedBy: Map<number, PostRef[]> }

/**
 * Guards pages against posts that were quoted from elsewhere on purpose: so many quotes that lead to other pages, or
 * come from there, are shown on one page. Those between its own posts are bounded by the thread's limits.
 */
const QUOTES_ELSEWHERE = 5000

/**
 * For some posts: whom they quote and the first posts that quote them, each in the order of numbers, in one query.
 * @param known the same posts with their places, where the caller knows them: most quotes stay within a page
 * @param atMost quotes between known posts, and as many that lead elsewhere or come from there
 */
export async function readQuotes(
  db: Database | Transaction,
  postIds: number[],
  known: PostRef[] = [],
  atMost?: number,
): Promise<Quotes> {
  const found: Quotes = { quotes: new Map(), quotedBy: new Map() }
  if (postIds.length === 0) return found
  const isOwn = (end: Column) => isOneOf(end, postIds)
  const places = new Map(known.map((ref) => [ref.id, ref]))
  const isKnown = sql`in (select unnest(${idList([...places.keys()])}))`
  // `offset 0` keeps the look-ups of places what they are: from averages, or from nothing, the planner would rather join
  // whole tables. Quotes between known posts come as one text: rows of them cost several times as much to read.
  const rows = await db.execute<{
    own: string | null
    quoted: boolean
    id: string | null
    threadId: string | null
    boardId: string | null
  }>(sql`
    with other as materialized (
      select ${quote.fromId} as own, ${quote.toId} as id, true as quoted from ${quote} where ${isOwn(quote.fromId)}
      union all
      select asked.id, quoting.id, false from unnest(${idList(postIds)}) asked(id) cross join lateral (
        select ${quote.fromId} from ${quote} where ${quote.toId} = asked.id
        order by ${quote.fromId} limit ${boardLimits.quotedBy}) quoting(id))
    select null as own, true as quoted, string_agg(within.own || ' ' || within.id, ',') as id,
      null as "threadId", null as "boardId"
    from (select own, id from other where quoted and id ${isKnown} limit ${atMost ?? null}) within
    union all
    (select other.own::text, other.quoted, other.id::text, place.thread_id::text, place.board_id
    from other cross join lateral (
      select ${post.threadId}, ${thread.boardId} from ${post} join ${thread} on ${thread.id} = ${post.threadId}
      where ${post.id} = other.id offset 0) place
    where not other.id ${isKnown} limit ${atMost ?? QUOTES_ELSEWHERE})`)
  for (const { own, quoted, id, threadId, boardId } of rows) {
    if (own === null) {
      for (const pair of id?.split(',') ?? []) {
        const [from, to] = pair.split(' ').map((text) => places.get(Number(text)))
        if (!from || !to) continue
        append(found.quotes, from.id, to)
        append(found.quotedBy, to.id, from)
      }
    } else {
      const ref = { id: Number(id), threadId: Number(threadId), boardId: String(boardId) }
      append(quoted ? found.quotes : found.quotedBy, Number(own), ref)
    }
  }
  for (const lists of [found.quotes, found.quotedBy]) {
    for (const list of lists.values()) list.sort((a, b) => a.id - b.id)
  }
  for (const list of found.quotedBy.values()) list.splice(boardLimits.quotedBy)
  return found
}

/** One parameter, for a statement takes 65,535 of them. */
const idList = (ids: number[]) => sql`string_to_array(${ids.join()}, ',')::bigint[]`

/** The range says nothing new, but by it the planner sees how little that is, and takes the index. */
const isOneOf = (column: Column, ids: number[]) =>
  sql`${column} = any(${idList(ids)}) and ${column} between ${Math.min(...ids)} and ${Math.max(...ids)}`

function append(map: Map<number, PostRef[]>, key: number, ref: PostRef): void {
  const list = map.get(key)
  if (list) list.push(ref)
  else map.set(key, [ref])
}

/** Posts elsewhere that quote, or are quoted by, the posts a condition picks; asked before those are deleted. */
export async function quotedAcross(tx: Transaction, picked: SQL): Promise<number[]> {
  const rows = await tx.execute<{ id: string }>(sql`
    select distinct other.id from (select ${post.id} from ${post} where ${picked}) own(id) cross join lateral (
      select ${quote.toId} from ${quote} where ${quote.fromId} = own.id
      union all
      select ${quote.fromId} from ${quote} where ${quote.toId} = own.id) other(id)`)
  return rows.map(({ id }) => Number(id))
}

/**
 * Tells the pages that show these posts that their quotes changed; those deleted meanwhile are passed over.
 * @param toldBoard whose pages are told already
 */
export async function publishQuoteChanges(
  tx: Transaction,
  now: Date,
  postIds: number[],
  toldBoard?: string,
): Promise<void> {
  if (postIds.length === 0) return
  const rows = await tx
    .select({ id: post.id, threadId: post.threadId, boardId: thread.boardId })
    .from(post)
    .innerJoin(thread, eq(thread.id, post.threadId))
    .where(inArray(post.id, postIds))
  // Boards and their feeds show posts too: each is told once, of whichever thread.
  const boards = new Map(rows.map(({ boardId, threadId }) => [boardId, threadId]))
  if (toldBoard !== undefined) boards.delete(toldBoard)
  await publish(tx, now, [
    ...rows.map(
      ({ id, threadId }): TopicChange => ({ topic: `thread:${threadId}`, change: { kind: 'post', postId: id } }),
    ),
    ...[...boards].map(
      ([boardId, threadId]): TopicChange => ({ topic: `board:${boardId}`, change: { kind: 'thread', threadId } }),
    ),
  ])
}
