import { and, asc, eq, gt, lt, sql } from 'drizzle-orm'
import { livePost, thread } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { calculateCost } from '#server/features/board/write/threadLimits.ts'
import { changeState } from './changeState.ts'

/** Limits the work for one post. What is left goes with the next posts. */
const MAX_EVICTED = 200

/**
 * Removes the oldest posts of a cyclical thread until it is within the limits. A comment stays until its replies are gone.
 * The posts have no entry in the log, so nobody restores them, and they are erased like all removed posts.
 * @param newest stays
 */
export const evictOldest = (ctx: Context, threadId: number, newest: number): Promise<void> =>
  writeAndPublish(ctx, async (tx) => {
    const [head] = await tx
      .select()
      .from(thread)
      .where(and(eq(thread.id, threadId), thread.cyclical))
      .for('update')
    if (!head) return
    const { threadPosts, threadBytes, threadNodes } = ctx.config.limits
    let posts = head.commentCount + head.replyCount - threadPosts
    let bytes = head.byteCount - threadBytes
    let nodes = head.nodeCount - threadNodes
    const { id, author, content, links } = livePost
    const oldest = await tx
      .select({ id, author, content, links })
      .from(livePost)
      .where(and(eq(livePost.threadId, threadId), gt(id, threadId), lt(id, newest), hasNoReply))
      .orderBy(asc(id))
      .limit(MAX_EVICTED)
    const evicted: number[] = []
    for (const row of oldest) {
      if (posts <= 0 && bytes <= 0 && nodes <= 0) break
      const cost = calculateCost(row)
      evicted.push(row.id)
      posts -= 1
      bytes -= cost.bytes
      nodes -= cost.nodes
    }
    await changeState(ctx, tx, evicted, 'removed')
  })

const hasNoReply = sql`not exists (select from ${livePost} reply where reply.parent_id = ${livePost.id})`
