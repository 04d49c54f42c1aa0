import { type Column, eq, type SQL, sql } from 'drizzle-orm'
import type { Database, Transaction } from '#db/client.server.ts'
import { post, quote, shownPost, thread } from '#db/schema/index.ts'
import { publish } from '#server/core/events/writeAndPublish.ts'
import { boardLimits } from '#src/contract/board.ts'
import type { PostRef } from '#src/contract/post.ts'
import { quotedPosts } from '#src/lib/markup.ts'
import { changesOfPost, joinChanges } from './postEvents.ts'

/** Stores the quotes of posts that have become live, up to the limit. */
export async function storeQuotes(tx: Transaction, posts: { id: number; content: string }[]): Promise<void> {
  const wanted = posts.flatMap(({ id, content }) =>
    listQuoted(id, content).map((toId) => ({ from_id: id, to_id: toId })),
  )
  if (wanted.length === 0) return
  await tx.execute(sql`insert into ${quote} (from_id, to_id) select given.from_id, given.to_id
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as given(from_id bigint, to_id bigint)
    join ${post} on ${post.id} = given.to_id on conflict do nothing`)
}

/** Returns the posts that a post quotes, up to the limit. */
export const listQuoted = (id: number | null, content: string): number[] =>
  quotedPosts(content, boardLimits.quotes).filter((quoted) => quoted !== id)

export type Quotes = { quotes: Map<number, PostRef[]>; quotedBy: Map<number, PostRef[]> }

/** Limits quotes between a page's posts and posts elsewhere. The thread limits cover the quotes within a page. */
const MAX_EXTERNAL_QUOTES = 5000

type QuoteOptions = { maxQuotes?: number; hasBacklinks?: boolean }

/**
 * Reads the quotes and the first backlinks of posts in one query. Sorts them by id.
 * @param options.maxQuotes limits quotes between the posts; the same limit applies to all others
 */
export async function readQuotes(
  db: Database | Transaction,
  posts: PostRef[],
  { maxQuotes, hasBacklinks = true }: QuoteOptions = {},
): Promise<Quotes> {
  const result: Quotes = { quotes: new Map(), quotedBy: new Map() }
  if (posts.length === 0) return result
  const postIds = posts.map(({ id }) => id)
  const knownPosts = new Map(posts.map(({ id, threadId, boardId }) => [id, { id, threadId, boardId }]))
  const isOwn = (end: Column) => sql`${end} = any((select ids from given)::bigint[])
    and ${end} between ${Math.min(...postIds)} and ${Math.max(...postIds)}`
  const isKnown = sql`in (select unnest(ids) from given)`
  // `offset 0` makes PostgreSQL look up each location by index. Without statistics, the planner would join whole
  // tables; so the redundant `between`. The first row has all quotes between the posts in one string. Reading many rows
  // would take several times longer. `given` parses the ids once, and hides them from the planner, which would look at each.
  const rows = await db.execute<{
    knownPairs: string | null
    postId: string
    isQuote: boolean
    otherId: string
    threadId: string
    boardId: string
  }>(sql`
    with given as materialized (select ${idList(postIds)} as ids), link as materialized (
      select ${quote.fromId} as post_id, ${quote.toId} as other_id, true as is_quote from ${quote} where ${isOwn(quote.fromId)}
      ${hasBacklinks ? BACKLINKS : sql``})
    select coalesce(string_agg(known_link.post_id || ' ' || known_link.other_id, ','), '') as "knownPairs",
      null as "postId", null::boolean as "isQuote", null as "otherId", null as "threadId", null as "boardId"
    from (select post_id, other_id from link where is_quote and other_id ${isKnown} limit ${maxQuotes ?? null}) known_link
    union all
    (select null, link.post_id::text, link.is_quote, link.other_id::text, location.thread_id::text, location.board_id
    from link cross join lateral (
      select ${shownPost.threadId}, ${thread.boardId} from ${shownPost} join ${thread} on ${thread.id} = ${shownPost.threadId}
      where ${shownPost.id} = link.other_id offset 0) location
    where not link.other_id ${isKnown} limit ${maxQuotes ?? MAX_EXTERNAL_QUOTES})`)
  for (const { knownPairs, postId, isQuote, otherId, threadId, boardId } of rows) {
    if (knownPairs === null) {
      const other = { id: Number(otherId), threadId: Number(threadId), boardId }
      append(isQuote ? result.quotes : result.quotedBy, Number(postId), other)
      continue
    }
    for (const pair of knownPairs.split(',')) {
      const [from, to] = pair.split(' ').map((id) => knownPosts.get(Number(id)))
      if (!from || !to) continue
      append(result.quotes, from.id, to)
      append(result.quotedBy, to.id, from)
    }
  }
  for (const lists of [result.quotes, result.quotedBy]) {
    for (const list of lists.values()) list.sort((a, b) => a.id - b.id)
  }
  for (const list of result.quotedBy.values()) list.splice(boardLimits.quotedBy)
  return result
}

const BACKLINKS = sql`union all
  select quoted.id, quoting.id, false from given, unnest(given.ids) quoted(id) cross join lateral (
    select ${quote.fromId} from ${quote} where ${quote.toId} = quoted.id
    order by ${quote.fromId} limit ${boardLimits.quotedBy}) quoting(id)`

/** Passes ids as one parameter, because a statement can have at most 65,535 parameters. */
export const idList = (ids: number[]) => sql`string_to_array(${ids.join()}, ',')::bigint[]`

export const isAnyOf = (column: Column, ids: number[]): SQL => sql`${column} = any(${idList(ids)})`

function append(map: Map<number, PostRef[]>, key: number, ref: PostRef): void {
  const list = map.get(key)
  if (list) list.push(ref)
  else map.set(key, [ref])
}

/** Returns the other posts that quote, or are quoted by, these posts. */
export async function findQuotesAcross(tx: Transaction, condition: SQL): Promise<number[]> {
  const rows = await tx.execute<{ id: string }>(sql`
    select distinct other.id from (select ${post.id} from ${post} where ${condition}) own(id) cross join lateral (
      select ${quote.toId} from ${quote} where ${quote.fromId} = own.id
      union all
      select ${quote.fromId} from ${quote} where ${quote.toId} = own.id) other(id)`)
  return rows.map(({ id }) => Number(id))
}

/** Publishes events for posts whose quotes changed. */
export async function publishQuoteChanges(tx: Transaction, now: Date, postIds: number[]): Promise<void> {
  if (postIds.length === 0) return
  const rows = await tx
    .select({ id: shownPost.id, threadId: shownPost.threadId, boardId: thread.boardId })
    .from(shownPost)
    .innerJoin(thread, eq(thread.id, shownPost.threadId))
    .where(isAnyOf(shownPost.id, postIds))
  await publish(tx, now, joinChanges(rows.flatMap(({ boardId, threadId, id }) => changesOfPost(boardId, threadId, id))))
}
