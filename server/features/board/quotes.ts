import { type Column, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Database, Transaction } from '#db/client.server.ts'
import { post, quote, thread } from '#db/schema/index.ts'
import type { TopicChange } from '#server/core/events/event.ts'
import { publish } from '#server/core/events/writeAndPublish.ts'
import { boardLimits, type PostRef } from '#src/contract/board.ts'
import { quotedPosts } from '#src/lib/markup.ts'

/** Stores which existing posts a new post quotes, up to the limit of distinct quotes. */
export async function writeQuotes(tx: Transaction, fromId: number, content: string): Promise<number[]> {
  const wanted = quotedPosts(content, boardLimits.quotes).filter((id) => id !== fromId)
  if (wanted.length === 0) return []
  // The shared locks prevent a concurrent deletion of the quoted posts.
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

/** Limits the quotes to and from other pages on one page. The thread's limits bound quotes between its own posts. */
const MAX_EXTERNAL_QUOTES = 5000

/**
 * Reads the quotes and the first backlinks of posts, ordered by id, in one query.
 * @param known locations of these posts, if available, to avoid lookups for quotes within a page
 * @param maxQuotes limit for quotes between known posts, and for external quotes
 */
export async function readQuotes(
  db: Database | Transaction,
  postIds: number[],
  known: PostRef[] = [],
  maxQuotes?: number,
): Promise<Quotes> {
  const result: Quotes = { quotes: new Map(), quotedBy: new Map() }
  if (postIds.length === 0) return result
  const isOwn = (end: Column) => isOneOf(end, postIds)
  const knownPosts = new Map(known.map((ref) => [ref.id, ref]))
  const isKnown = sql`in (select unnest(${idList([...knownPosts.keys()])}))`
  // `offset 0` forces index lookups of the locations; without statistics the planner would join whole tables. Quotes
  // between known posts are aggregated into one string, which is several times faster to read than rows.
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
    from (select own, id from other where quoted and id ${isKnown} limit ${maxQuotes ?? null}) within
    union all
    (select other.own::text, other.quoted, other.id::text, place.thread_id::text, place.board_id
    from other cross join lateral (
      select ${post.threadId}, ${thread.boardId} from ${post} join ${thread} on ${thread.id} = ${post.threadId}
      where ${post.id} = other.id offset 0) place
    where not other.id ${isKnown} limit ${maxQuotes ?? MAX_EXTERNAL_QUOTES})`)
  for (const { own, quoted, id, threadId, boardId } of rows) {
    if (own === null) {
      for (const pair of id?.split(',') ?? []) {
        const [from, to] = pair.split(' ').map((text) => knownPosts.get(Number(text)))
        if (!from || !to) continue
        append(result.quotes, from.id, to)
        append(result.quotedBy, to.id, from)
      }
    } else {
      const ref = { id: Number(id), threadId: Number(threadId), boardId: String(boardId) }
      append(quoted ? result.quotes : result.quotedBy, Number(own), ref)
    }
  }
  for (const lists of [result.quotes, result.quotedBy]) {
    for (const list of lists.values()) list.sort((a, b) => a.id - b.id)
  }
  for (const list of result.quotedBy.values()) list.splice(boardLimits.quotedBy)
  return result
}

/** Passes ids as one parameter: a statement has at most 65,535. */
const idList = (ids: number[]) => sql`string_to_array(${ids.join()}, ',')::bigint[]`

/** The redundant range makes the planner use the index. */
const isOneOf = (column: Column, ids: number[]) =>
  sql`${column} = any(${idList(ids)}) and ${column} between ${Math.min(...ids)} and ${Math.max(...ids)}`

function append(map: Map<number, PostRef[]>, key: number, ref: PostRef): void {
  const list = map.get(key)
  if (list) list.push(ref)
  else map.set(key, [ref])
}

/** Returns the posts that quote or are quoted by posts about to be deleted. */
export async function findQuotesAcross(tx: Transaction, condition: SQL): Promise<number[]> {
  const rows = await tx.execute<{ id: string }>(sql`
    select distinct other.id from (select ${post.id} from ${post} where ${condition}) own(id) cross join lateral (
      select ${quote.toId} from ${quote} where ${quote.fromId} = own.id
      union all
      select ${quote.fromId} from ${quote} where ${quote.toId} = own.id) other(id)`)
  return rows.map(({ id }) => Number(id))
}

/**
 * Publishes events for posts whose quotes changed.
 * @param notifiedBoard board that already gets an event
 */
export async function publishQuoteChanges(
  tx: Transaction,
  now: Date,
  postIds: number[],
  notifiedBoard?: string,
): Promise<void> {
  if (postIds.length === 0) return
  const rows = await tx
    .select({ id: post.id, threadId: post.threadId, boardId: thread.boardId })
    .from(post)
    .innerJoin(thread, eq(thread.id, post.threadId))
    .where(inArray(post.id, postIds))
  // One event per board is enough to refresh its pages and feeds.
  const boards = new Map(rows.map(({ boardId, threadId }) => [boardId, threadId]))
  if (notifiedBoard !== undefined) boards.delete(notifiedBoard)
  await publish(tx, now, [
    ...rows.map(
      ({ id, threadId }): TopicChange => ({ topic: `thread:${threadId}`, change: { kind: 'post', postId: id } }),
    ),
    ...[...boards].map(
      ([boardId, threadId]): TopicChange => ({ topic: `board:${boardId}`, change: { kind: 'thread', threadId } }),
    ),
  ])
}
