import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { board, post, quote, removedQuote, thread, withheldPost } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import type { TopicChange } from '#server/core/events/event.ts'
import { publish } from '#server/core/events/writeAndPublish.ts'
import { filesOfPost } from '#server/core/storage/imageFiles.ts'
import { boardLimits } from '#src/contract/board.ts'
import { quotedPosts } from '#src/lib/markup.ts'
import { hasTooManyPins } from './pins.ts'
import { idList, MAX_POST_EVENTS, publishQuoteChanges } from './quotes.ts'
import { recountThreads } from './removal.ts'
import { calculateCost, sumCosts } from './threadLimits.ts'
import { queueWatchAlerts } from './watching/queue.ts'

/** Advisory lock of the transactions that restore quotes. */
const QUOTES_LOCK = 7_305_114

/** `waiting`: posts that stay withheld, because their board, thread or comment is removed */
export type Publication = { published: number[]; waiting: number[] }

/**
 * Publishes withheld posts: restores removed posts, and publishes held ones. They keep their number, place, time,
 * quotes and images. Ignores ids of posts that are not withheld.
 */
export async function publishWithheld(
  { files, now }: Pick<Context, 'files' | 'now'>,
  tx: Transaction,
  ids: number[],
): Promise<Publication> {
  const rows = await lockWithheld(tx, ids)
  const publishable = await filterPublishable(tx, rows)
  const published = publishable.map(({ id }) => id)
  const isPublished = new Set(published)
  const waiting = rows.map(({ id }) => id).filter((id) => !isPublished.has(id))
  if (published.length === 0) return { published, waiting }
  for (const row of publishable.filter(isOpeningPost)) await showThread(tx, row)
  await moveToPosts(tx, published)
  const quoted = await restoreQuotes(tx, publishable)
  const threads = groupBy(publishable, ({ threadId }) => threadId)
  const costs = threads.map(([threadId, posts]) => ({ threadId, ...sumCosts(posts.map(calculateCost)) }))
  await recountThreads(tx, costs, 1)
  const changes = threads.flatMap(([threadId, posts]) => changesOf(threadId, posts))
  const boards = new Map(publishable.map(({ boardId, threadId }) => [boardId, threadId]))
  for (const [boardId, threadId] of boards)
    changes.push({ topic: `board:${boardId}`, change: { kind: 'thread', threadId } })
  await publish(tx, now(), changes)
  await publishQuoteChanges(tx, now(), quoted)
  await queueWatchAlerts(
    tx,
    now(),
    publishable.filter(({ heldFor }) => heldFor !== null).map(({ id }) => id),
  )
  await files.release(publishable.flatMap(filesOfPost))
  return { published, waiting }
}

type WithheldRow = typeof withheldPost.$inferSelect

const isOpeningPost = ({ id, threadId }: WithheldRow) => id === threadId

/** Locks the threads first, in the same order as a removal does. */
async function lockWithheld(tx: Transaction, ids: number[]): Promise<WithheldRow[]> {
  const isGiven = inArray(withheldPost.id, sql`(select unnest(${idList(ids)}))`)
  await tx
    .select({ id: thread.id })
    .from(thread)
    .where(sql`${thread.id} in (select ${withheldPost.threadId} from ${withheldPost} where ${isGiven})`)
    .orderBy(thread.id)
    .for('update')
  return tx.select().from(withheldPost).where(isGiven).orderBy(withheldPost.id).for('update')
}

/** Keeps posts whose board, thread and comment exist or are published with them. */
async function filterPublishable(tx: Transaction, rows: WithheldRow[]): Promise<WithheldRow[]> {
  if (rows.length === 0) return []
  const ids = rows.flatMap(({ threadId, parentId }) => [threadId, parentId ?? threadId])
  const existing = await tx
    .select({ id: post.id })
    .from(post)
    .where(inArray(post.id, sql`(select unnest(${idList(ids)}))`))
  const boardIds = [...new Set(rows.map(({ boardId }) => boardId))]
  // The shared lock prevents another transaction from deleting the board meanwhile.
  const boards = await tx
    .select({ id: board.id })
    .from(board)
    .where(and(inArray(board.id, boardIds), isNull(board.deletedAt)))
    .orderBy(board.id)
    .for('share')
  const openBoards = new Set(boards.map(({ id }) => id))
  const available = new Set(existing.map(({ id }) => id))
  // Rows are in order of their ids, so a thread and a comment come before the posts in them.
  return rows.filter((row) => {
    const { id, boardId, threadId, parentId } = row
    const hasPlace = isOpeningPost(row) || (available.has(threadId) && available.has(parentId ?? threadId))
    if (!openBoards.has(boardId) || !hasPlace) return false
    available.add(id)
    return true
  })
}

/**
 * A removed thread still has its row. A held thread does not have one yet. Unpins a thread whose place among the pinned
 * threads is taken.
 */
async function showThread(tx: Transaction, { id, boardId, title, createdAt }: WithheldRow): Promise<void> {
  const shown = { title: title ?? '', deletedAt: null }
  const [head] = await tx
    .insert(thread)
    .values({ id, boardId, lastActivity: createdAt, ...shown })
    .onConflictDoUpdate({ target: thread.id, set: shown })
    .returning({ pinned: thread.pinned })
  if (head?.pinned && (await hasTooManyPins(tx, boardId))) {
    await tx.update(thread).set({ pinned: false }).where(eq(thread.id, id))
  }
}

async function moveToPosts(tx: Transaction, ids: number[]): Promise<void> {
  const columns = sql.raw(
    'id, thread_id, parent_id, author, content, links, image_id, image, more_images, spoiler, sage, tripcode, poster_label, created_at',
  )
  await tx.execute(sql`with moved as (
      delete from ${withheldPost} where ${withheldPost.id} in (select unnest(${idList(ids)})) returning *)
    insert into ${post} (${columns}) select ${columns} from moved`)
}

/** Restores the quotes from and to the posts whose other end exists. @returns the other ends */
async function restoreQuotes(tx: Transaction, rows: WithheldRow[]): Promise<number[]> {
  // The quotes of posts that were held were never stored.
  const wanted = rows.flatMap(({ id, content }) =>
    quotedPosts(content, boardLimits.quotes).flatMap((toId) => (toId === id ? [] : { fromId: id, toId })),
  )
  if (wanted.length > 0) await tx.insert(removedQuote).values(wanted).onConflictDoNothing()
  // Another transaction may restore the other end of a quote. The later one then sees both ends.
  await tx.execute(sql`select pg_advisory_xact_lock(${QUOTES_LOCK})`)
  const restored = sql`(select unnest(${idList(rows.map(({ id }) => id))}))`
  const isOfRestored = sql`(${removedQuote.fromId} in ${restored} or ${removedQuote.toId} in ${restored})`
  // The shared locks prevent other requests from deleting the other ends.
  const existing = await tx.execute<{ id: string }>(sql`select ${post.id} from ${post} where ${post.id} in (
      select ${removedQuote.fromId} from ${removedQuote} where ${isOfRestored}
      union select ${removedQuote.toId} from ${removedQuote} where ${isOfRestored})
    order by ${post.id} for key share`)
  const exists = sql`(select unnest(${idList(existing.map(({ id }) => Number(id)))}))`
  const pairs = await tx.execute<{ from_id: string; to_id: string }>(sql`with back as (
      delete from ${removedQuote}
      where ${isOfRestored} and ${removedQuote.fromId} in ${exists} and ${removedQuote.toId} in ${exists}
      returning from_id, to_id)
    insert into ${quote} (from_id, to_id) select from_id, to_id from back on conflict do nothing
    returning from_id, to_id`)
  const ids = new Set(rows.map(({ id }) => id))
  const ends = new Set(pairs.flatMap(({ from_id, to_id }) => [Number(from_id), Number(to_id)]))
  return [...ends].filter((id) => !ids.has(id))
}

function changesOf(threadId: number, rows: WithheldRow[]): TopicChange[] {
  const topic = `thread:${threadId}` as const
  // An open page of a removed thread has nothing to merge posts into.
  if (rows.length > MAX_POST_EVENTS || rows.some(isOpeningPost)) return [{ topic, change: { kind: 'stale' } }]
  return rows.map(({ id }) => ({ topic, change: { kind: 'post', postId: id } }))
}

function groupBy<Item, Key>(items: Item[], keyOf: (item: Item) => Key): [Key, Item[]][] {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return [...groups]
}
