import { and, desc, eq, sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { livePost, type PostState, post, thread } from '#db/schema/index.ts'
import { idList, isAnyOf } from '#server/features/board/quotes.ts'
import { changedNow, imagesOfThread, isLive, isShownPost } from '#server/features/board/read/queries.ts'
import { type Cost, calculateCost, sumCosts } from '#server/features/board/write/threadLimits.ts'
import { boardLimits } from '#src/contract/board.ts'
import type { ChangedThread } from './affectedPosts.ts'

/** `isShown`: the opening post is live or a stub */
export type ThreadState = {
  threadId: number
  boardId: string
  wasShown: boolean
  isShown: boolean
  isArchived: boolean
}

/**
 * Hides threads whose opening post is not live any more, shows those whose opening post is live again, and counts the
 * posts of shown threads. Unpins a shown thread whose place among the pinned threads is taken.
 */
export async function updateThreads(
  tx: Transaction,
  now: Date,
  changed: ChangedThread[],
  to: PostState,
): Promise<ThreadState[]> {
  const ids = changed.map(({ threadId }) => threadId)
  const states = await tx
    .select({
      threadId: thread.id,
      boardId: thread.boardId,
      wasShown: sql<boolean>`${thread.deletedAt} is null`,
      isShown: sql<boolean>`coalesce(${isShownPost}, false)`,
      isArchived: sql<boolean>`${thread.archivedAt} is not null`,
    })
    .from(thread)
    .leftJoin(post, eq(post.id, thread.id))
    .where(isAnyOf(thread.id, ids))
  const hidden = states.filter(({ wasShown, isShown }) => wasShown && !isShown).map(({ threadId }) => threadId)
  const shown = states.filter(({ wasShown, isShown }) => !wasShown && isShown).map(({ threadId }) => threadId)
  const counts = { commentCount: 0, replyCount: 0, imageCount: 0, byteCount: 0, nodeCount: 0 }
  const set = (ids: number[], values: object) => tx.update(thread).set(values).where(isAnyOf(thread.id, ids))
  if (hidden.length > 0) await set(hidden, { deletedAt: now, changedAt: changedNow(now), ...counts })
  if (shown.length > 0) {
    await set(shown, { deletedAt: null })
    const isPinned = and(isAnyOf(thread.id, shown), thread.pinned)
    const pinned = await tx.select().from(thread).where(isPinned).orderBy(desc(thread.id))
    for (const { id, boardId } of pinned) if (await hasTooManyPins(tx, boardId)) await set([id], { pinned: false })
  }
  const isShown = new Set(states.filter((one) => one.isShown).map(({ threadId }) => threadId))
  const counted = changed.filter(({ threadId }) => isShown.has(threadId))
  if (counted.length > 0) await recountThreads(tx, now, counted, to)
  return states
}

/**
 * Counts the posts of threads again, and takes back or repeats bumps. The activity stays if it is later than the bumps
 * of the changed posts, because an admin then took the thread out of the archive after them. The activity of a
 * bumplocked thread never rises.
 */
async function recountThreads(tx: Transaction, now: Date, changed: ChangedThread[], to: PostState): Promise<void> {
  const changes = changed.map(({ threadId, posts }) => ({
    ...{ threadId, ...changeOfCost(posts, to) },
    bumpedMs: Math.max(0, ...posts.map(({ createdAt, sage }) => (sage ? 0 : createdAt.getTime()))),
  }))
  const list = (pick: (change: (typeof changes)[number]) => number) => sql`unnest(${idList(changes.map(pick))})`
  const ofThread = sql`from ${livePost} where ${livePost.threadId} = ${thread.id}`
  // For old threads, both costs are estimates, so the difference could be negative.
  await tx.execute(sql`update ${thread} set
      last_activity = case
        when ${thread.lastActivity} > to_timestamp(changed.bumped_ms / 1000.0) then ${thread.lastActivity}
        else coalesce((select max(${livePost.createdAt}) ${ofThread} and not ${livePost.sage}
          and (not ${thread.bumplocked} or ${livePost.createdAt} <= ${thread.lastActivity})), ${thread.lastActivity})
        end,
      changed_at = ${changedNow(now)},
      comment_count = (select count(*) ${ofThread} and ${livePost.parentId} is null and ${livePost.id} <> ${thread.id}),
      reply_count = (select count(*) ${ofThread} and ${livePost.parentId} is not null),
      image_count = ${imagesOfThread},
      byte_count = greatest(0, ${thread.byteCount} + changed.bytes),
      node_count = greatest(0, ${thread.nodeCount} + changed.nodes)
    from (select ${list(({ threadId }) => threadId)} as id, ${list(({ bytes }) => bytes)} as bytes,
      ${list(({ nodes }) => nodes)} as nodes, ${list(({ bumpedMs }) => bumpedMs)} as bumped_ms) as changed
    where ${thread.id} = changed.id`)
}

function changeOfCost(posts: ChangedThread['posts'], to: PostState): Cost {
  const hidden = sumCosts(posts.filter(({ state }) => state === 'live').map(calculateCost))
  const shown = sumCosts(to === 'live' ? posts.map(calculateCost) : [])
  return { bytes: shown.bytes - hidden.bytes, nodes: shown.nodes - hidden.nodes }
}

/** First part of the lock's key. It differs from other advisory locks, so that boards do not wait for them. */
const PINS_LOCK = 0x70696e

/**
 * Returns whether a board has more pinned threads than its first page shows. Locks the board's pins until the
 * transaction ends, so call it after pinning: of two concurrent transactions, the second counts the first one's thread.
 */
export async function hasTooManyPins(tx: Transaction, boardId: string): Promise<boolean> {
  await tx.execute(sql`select pg_advisory_xact_lock(${PINS_LOCK}::int, hashtext(${boardId}))`)
  const isPinned = and(eq(thread.boardId, boardId), thread.pinned, isLive)
  return (await tx.$count(thread, isPinned)) > boardLimits.pinnedThreads
}
