import { inArray, type SQL, sql } from 'drizzle-orm'
import type { Database, Transaction } from '#db/client.server.ts'
import { post, quote, thread } from '#db/schema/index.ts'
import { type Announcement, announce } from '#server/core/changes.ts'
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

/**
 * Some posts, and at the other ends of their quotes the `other` posts: each looked up in two indexes.
 * @param ids a query that gives numbers of posts
 */
const withOtherEnds = (ids: SQL) => sql`(${ids}) own(id) cross join lateral (
  select ${quote.toId} as id, true as quoted from ${quote} where ${quote.fromId} = own.id
  union all
  select ${quote.fromId}, false from ${quote} where ${quote.toId} = own.id) other`

export type Quotes = { quotes: Map<number, PostRef[]>; quotedBy: Map<number, PostRef[]> }

/** For some posts: whom they quote and who quotes them, each in the order of numbers, in one query. */
export async function readQuotes(db: Database | Transaction, postIds: number[]): Promise<Quotes> {
  const found: Quotes = { quotes: new Map(), quotedBy: new Map() }
  if (postIds.length === 0) return found
  // One parameter, for a statement takes 65,535 of them. `offset 0` keeps the last look-ups what they are: from averages,
  // or from nothing, the planner would rather join whole tables.
  const ids = sql`select unnest(string_to_array(${postIds.join()}, ',')::bigint[])`
  const rows = await db.execute<{ own: string; quoted: boolean; id: string; threadId: string; boardId: string }>(sql`
    select own.id as own, other.quoted, other.id, place.thread_id as "threadId", place.board_id as "boardId"
    from ${withOtherEnds(ids)} cross join lateral (
      select ${post.threadId}, ${thread.boardId} from ${post} join ${thread} on ${thread.id} = ${post.threadId}
      where ${post.id} = other.id offset 0) place`)
  for (const { own, quoted, id, threadId, boardId } of rows) {
    append(quoted ? found.quotes : found.quotedBy, Number(own), {
      id: Number(id),
      threadId: Number(threadId),
      boardId,
    })
  }
  for (const lists of [found.quotes, found.quotedBy]) {
    for (const list of lists.values()) list.sort((a, b) => a.id - b.id)
  }
  return found
}

function append(map: Map<number, PostRef[]>, key: number, ref: PostRef): void {
  const list = map.get(key)
  if (list) list.push(ref)
  else map.set(key, [ref])
}

/** Posts elsewhere that quote, or are quoted by, the posts a condition picks; asked before those are deleted. */
export async function quotedAcross(tx: Transaction, picked: SQL): Promise<number[]> {
  const ids = sql`select ${post.id} from ${post} where ${picked}`
  const rows = await tx.execute<{ id: string }>(sql`select distinct other.id from ${withOtherEnds(ids)}`)
  return rows.map(({ id }) => Number(id))
}

/** Tells the pages that show these posts that their quotes changed; those deleted meanwhile are passed over. */
export async function announceQuoted(tx: Transaction, now: Date, postIds: number[]): Promise<void> {
  if (postIds.length === 0) return
  const rows = await tx.select({ id: post.id, threadId: post.threadId }).from(post).where(inArray(post.id, postIds))
  await announce(
    tx,
    now,
    rows.map(
      ({ id, threadId }): Announcement => ({ topic: `thread:${threadId}`, change: { kind: 'post', postId: id } }),
    ),
  )
}
