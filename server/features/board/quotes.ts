import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import { alias, union } from 'drizzle-orm/pg-core'
import type { Database, Transaction } from '#db/client.server.ts'
import { post, quote, thread } from '#db/schema/index.ts'
import { type Announcement, announce } from '#server/core/live.ts'
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

/** From and to some posts: two look-ups in two indexes, for joined by `or` they would read every quote there is. */
function quotesOf(db: Database | Transaction, postIds: SQL | number[]) {
  const ids = Array.isArray(postIds) ? postIds : sql`(${postIds})`
  const rows = () => db.select({ fromId: quote.fromId, toId: quote.toId }).from(quote)
  return union(rows().where(inArray(quote.fromId, ids)), rows().where(inArray(quote.toId, ids)))
}

export type Quotes = { quotes: Map<number, PostRef[]>; quotedBy: Map<number, PostRef[]> }

/** For some posts: whom they quote and who quotes them, in one query. */
export async function readQuotes(db: Database | Transaction, postIds: SQL | number[]): Promise<Quotes> {
  const [from, to] = [alias(post, 'from_post'), alias(post, 'to_post')]
  const [fromThread, toThread] = [alias(thread, 'from_thread'), alias(thread, 'to_thread')]
  const picked = quotesOf(db, postIds).as('picked')
  const rows = await db
    .select({
      from: { id: from.id, threadId: from.threadId, boardId: fromThread.boardId },
      to: { id: to.id, threadId: to.threadId, boardId: toThread.boardId },
    })
    .from(picked)
    .innerJoin(from, eq(from.id, picked.fromId))
    .innerJoin(fromThread, eq(fromThread.id, from.threadId))
    .innerJoin(to, eq(to.id, picked.toId))
    .innerJoin(toThread, eq(toThread.id, to.threadId))
    .orderBy(picked.fromId, picked.toId)
  const found: Quotes = { quotes: new Map(), quotedBy: new Map() }
  for (const row of rows) {
    append(found.quotes, row.from.id, row.to)
    append(found.quotedBy, row.to.id, row.from)
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
  const rows = await quotesOf(tx, sql`select ${post.id} from ${post} where ${picked}`)
  return [...new Set(rows.flatMap((row) => [row.fromId, row.toId]))]
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
