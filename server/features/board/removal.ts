import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { post, quote, removedQuote, thread, withheldPost } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import type { TopicChange } from '#server/core/events/event.ts'
import { publish } from '#server/core/events/writeAndPublish.ts'
import { type LogRecord, writeLog } from '#server/core/moderation/log.ts'
import { filesOfPost } from '#server/core/storage/imageFiles.ts'
import type { ActionResult } from '#src/contract/moderation.ts'
import { lockHeldPosts, removeHeldPosts } from './heldPosts.ts'
import { findQuotesAcross, idList, MAX_POST_EVENTS, publishQuoteChanges } from './quotes.ts'
import { imagesOfThread } from './threadConditions.ts'
import { type Cost, calculateCost, sumCosts } from './threadLimits.ts'

/**
 * Removes posts from their threads and logs it: a thread with all its posts, a comment with its replies. Held posts at
 * these places, or with these ids, are removed too. The posts can be restored until the job `withheld` deletes them.
 * Hides their files before the transaction commits, so that concurrent removals and restorations rename in the order in
 * which they commit.
 * @returns the log entry and the number of removed posts; 0 and no entry if the posts were already removed
 */
export async function removePosts(
  { files, now }: Pick<Context, 'files' | 'now'>,
  tx: Transaction,
  ids: number[],
  record: LogRecord,
): Promise<ActionResult> {
  const given = sql`(select unnest(${idList(ids)}))`
  await lockThreads(tx, given)
  // Held posts first: a post that is published meanwhile is then among the published ones.
  const held = await lockHeldPosts(tx, given)
  const rows = await readAffected(tx, given)
  const count = rows.length + held.length
  if (count === 0) return { logId: null, count: 0 }
  const removedIds = rows.map(({ id }) => id)
  const isRemoved = inArray(post.id, sql`(select unnest(${idList(removedIds)}))`)
  const quoted = await findQuotesAcross(tx, isRemoved)
  const logId = await writeLog(tx, now(), { ...record, count })
  await removeHeldPosts(tx, { now }, held, logId)
  await moveToWithheld(tx, removedIds, logId, now())
  const threads = groupByThread(rows)
  await hideThreads(
    tx,
    threads.filter(({ isWhole }) => isWhole).map(({ threadId }) => threadId),
    now(),
  )
  const changed = threads.filter(({ isWhole }) => !isWhole)
  await recountThreads(
    tx,
    changed.map(({ threadId, rows }) => ({ threadId, ...sumCosts(rows.map(calculateCost)) })),
    -1,
  )
  await publish(tx, now(), threads.flatMap(changesOf).concat(changesOfBoards(threads)))
  await publishQuoteChanges(tx, now(), quoted)
  await files.withhold(rows.flatMap(filesOfPost))
  return { logId, count }
}

type RemovedRow = Awaited<ReturnType<typeof readAffected>>[number]

async function lockThreads(tx: Transaction, given: SQL): Promise<void> {
  await tx
    .select({ id: thread.id })
    .from(thread)
    .where(
      sql`${thread.id} in (select ${post.threadId} from ${post} where ${post.id} in ${given}
        union select ${withheldPost.threadId} from ${withheldPost} where ${withheldPost.id} in ${given})`,
    )
    .orderBy(thread.id)
    .for('update')
}

/**
 * Returns the posts with their replies, or with all posts of their thread. Locks them, so that no other request quotes
 * them between the copy of their quotes and their removal.
 */
async function readAffected(tx: Transaction, given: SQL) {
  const { id, threadId, parentId, author, links, image, moreImages } = post
  // Texts serve only to calculate the costs of posts whose thread stays.
  const content = sql<string>`case when ${threadId} in ${given} then '' else ${post.content} end`
  const isAffected = sql`${post.id} in (
    select ${post.id} from ${post} where ${post.id} in ${given}
    union select ${post.id} from ${post} where ${post.parentId} in ${given}
    union select ${post.id} from ${post} where ${post.threadId} in ${given})`
  return tx
    .select({ id, threadId, parentId, author, content, links, image, moreImages, boardId: thread.boardId })
    .from(post)
    .innerJoin(thread, eq(thread.id, post.threadId))
    .where(isAffected)
    .orderBy(post.id)
    .for('update', { of: post })
}

async function moveToWithheld(tx: Transaction, ids: number[], logId: number, now: Date): Promise<void> {
  const removed = sql`(select unnest(${idList(ids)}))`
  await tx.execute(sql`insert into ${removedQuote} (from_id, to_id)
    select ${quote.fromId}, ${quote.toId} from ${quote} where ${quote.fromId} in ${removed}
    union select ${quote.fromId}, ${quote.toId} from ${quote} where ${quote.toId} in ${removed}
    on conflict do nothing`)
  await tx.execute(sql`with moved as (delete from ${post} where ${post.id} in ${removed} returning *)
    insert into ${withheldPost} (id, board_id, thread_id, parent_id, title, author, content, links, image_id, image,
      more_images, spoiler, sage, tripcode, poster_label, created_at, withheld_at, log_id)
    select moved.id, ${thread.boardId}, thread_id, parent_id, case when moved.id = thread_id then ${thread.title} end,
      author, content, links, image_id, image, more_images, spoiler, sage, tripcode, poster_label,
      created_at, ${now.toISOString()}::timestamptz, ${logId}::bigint
    from moved join ${thread} on ${thread.id} = moved.thread_id`)
}

type RemovedThread = { threadId: number; boardId: string; rows: RemovedRow[]; isWhole: boolean }

function groupByThread(rows: RemovedRow[]): RemovedThread[] {
  const threads = new Map<number, RemovedThread>()
  for (const row of rows) {
    const { threadId, boardId } = row
    const entry = threads.get(threadId) ?? { threadId, boardId, rows: [], isWhole: false }
    entry.rows.push(row)
    entry.isWhole ||= row.id === threadId
    threads.set(threadId, entry)
  }
  return [...threads.values()]
}

/** Keeps the threads' rows, so that their pages respond with 410. */
async function hideThreads(tx: Transaction, ids: number[], now: Date): Promise<void> {
  if (ids.length === 0) return
  await tx
    .update(thread)
    .set({ deletedAt: now, title: '', commentCount: 0, replyCount: 0, imageCount: 0, byteCount: 0, nodeCount: 0 })
    .where(inArray(thread.id, sql`(select unnest(${idList(ids)}))`))
}

/**
 * Counts the posts of threads again, and takes back or repeats bumps.
 * @param changes costs of the posts that were added (`sign` 1) or removed (`sign` -1), by thread
 */
export async function recountThreads(
  tx: Transaction,
  changes: ({ threadId: number } & Cost)[],
  sign: 1 | -1,
): Promise<void> {
  if (changes.length === 0) return
  const list = (pick: (change: { threadId: number } & Cost) => number) => sql`unnest(${idList(changes.map(pick))})`
  const ofThread = sql`from ${post} where ${post.threadId} = ${thread.id}`
  // For old threads, both costs are estimates, so the difference could be negative.
  await tx.execute(sql`update ${thread} set
      last_activity = (select max(${post.createdAt}) ${ofThread} and not ${post.sage}),
      comment_count = (select count(*) ${ofThread} and ${post.parentId} is null and ${post.id} <> ${thread.id}),
      reply_count = (select count(*) ${ofThread} and ${post.parentId} is not null),
      image_count = ${imagesOfThread},
      byte_count = greatest(0, ${thread.byteCount} + changed.bytes),
      node_count = greatest(0, ${thread.nodeCount} + changed.nodes)
    from (select ${list(({ threadId }) => threadId)} as id, ${list(({ bytes }) => sign * bytes)} as bytes,
      ${list(({ nodes }) => sign * nodes)} as nodes) as changed
    where ${thread.id} = changed.id`)
}

function changesOf({ threadId, boardId, rows, isWhole }: RemovedThread): TopicChange[] {
  const topic = `thread:${threadId}` as const
  if (isWhole) {
    const change = { kind: 'thread-gone', threadId } as const
    return [
      { topic, change },
      { topic: `board:${boardId}`, change },
    ]
  }
  const ids = new Set(rows.map(({ id }) => id))
  const roots = rows.filter(({ parentId }) => parentId === null || !ids.has(parentId))
  if (roots.length > MAX_POST_EVENTS) return [{ topic, change: { kind: 'stale' } }]
  return roots.map(({ id, parentId }) => ({ topic, change: { kind: 'post-gone', postId: id, parentId } }))
}

/** One event per board is enough to refresh its pages and feeds. */
function changesOfBoards(threads: RemovedThread[]): TopicChange[] {
  const boards = new Map(threads.filter(({ isWhole }) => !isWhole).map(({ boardId, threadId }) => [boardId, threadId]))
  return [...boards].map(([boardId, threadId]) => ({ topic: `board:${boardId}`, change: { kind: 'thread', threadId } }))
}
