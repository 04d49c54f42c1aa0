import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { livePost, post, thread } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { idList, isAnyOf } from '#server/features/board/quotes.ts'
import { calculateCost } from '#server/features/board/write/threadLimits.ts'
import { changeState, type StateChange, type StateReason } from './changeState.ts'

type Deps = Pick<Services, 'config' | 'files' | 'now'>

/** Limits the work for one post. What is left goes with the next posts. */
const MAX_EVICTED = 200

/** Publishes held or removed posts. In a cyclical thread that they make too long, the oldest other posts go. */
export async function publishPosts(
  deps: Deps,
  tx: Transaction,
  given: number[],
  reason: StateReason,
): Promise<StateChange> {
  const change = await changeState(deps, tx, given, 'live', reason)
  const changed = tx.select({ id: post.threadId }).from(post).where(isAnyOf(post.id, change.ids))
  const isCyclical = and(inArray(thread.id, changed), thread.cyclical)
  const threads = await tx.select({ id: thread.id }).from(thread).where(isCyclical)
  for (const { id } of threads) await evictOldest(deps, tx, id, change.ids)
  return change
}

/**
 * Removes the oldest posts of a cyclical thread until it is within the limits. A comment stays until its replies are gone.
 * The posts have no entry in the log, so nobody restores them, and they are erased like all removed posts.
 * @param kept ids of posts that stay, because they were just published
 */
export async function evictOldest(deps: Deps, tx: Transaction, threadId: number, kept: number[]): Promise<void> {
  const isHead = and(eq(thread.id, threadId), thread.cyclical)
  const [head] = await tx.select().from(thread).where(isHead).for('update')
  if (!head) return
  const { threadPosts, threadBytes, threadNodes } = deps.config.limits
  let posts = head.commentCount + head.replyCount - threadPosts
  let bytes = head.byteCount - threadBytes
  let nodes = head.nodeCount - threadNodes
  const { id, author, content, links } = livePost
  const isOther = and(eq(livePost.threadId, threadId), sql`${id} <> all(${idList(kept)})`, hasNoReply)
  const isWithin = () => posts <= 0 && bytes <= 0 && nodes <= 0
  const evicted: number[] = []
  // Most posts remove one other, so it reads few texts at first.
  for (let step = Math.max(1, posts); evicted.length < MAX_EVICTED && !isWithin(); step *= 2) {
    const oldest = await tx
      .select({ id, author, content, links })
      .from(livePost)
      .where(and(isOther, gt(id, evicted.at(-1) ?? threadId)))
      .orderBy(asc(id))
      .limit(Math.min(step, MAX_EVICTED - evicted.length))
    for (const row of oldest) {
      if (isWithin()) break
      const cost = calculateCost(row)
      evicted.push(row.id)
      posts -= 1
      bytes -= cost.bytes
      nodes -= cost.nodes
    }
    if (oldest.length === 0) break
  }
  if (evicted.length > 0) await changeState(deps, tx, evicted, 'removed')
}

const hasNoReply = sql`not exists (select from ${livePost} reply where reply.parent_id = ${livePost.id})`
