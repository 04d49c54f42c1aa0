import { and, asc, eq, lte, type SQL, sql } from 'drizzle-orm'
import { post } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { publishPosts } from '#server/features/board/states/evictOldest.ts'
import { lockHeldPost } from './heldPosts.ts'

/** Posts per run. A raid can leave thousands: they are published over several runs. */
const BATCH = 100

/** Returns the query of the time at which the next held post is due. */
export const nextRelease = (): SQL => sql`select min(${post.releaseAt}) from ${post} where ${post.state} = 'held'`

/** Publishes held posts whose time has come. A post that has lost its place stays in the queue. */
export async function releaseHeldPosts(services: Services, signal?: AbortSignal): Promise<void> {
  const { db, now } = services
  const isDue = and(lte(post.releaseAt, now()), sql`${post.state} = 'held'`)
  const due = await db.select({ id: post.id }).from(post).where(isDue).orderBy(asc(post.releaseAt)).limit(BATCH)
  // One transaction each, so that one post cannot keep the others.
  for (const { id } of due) {
    signal?.throwIfAborted()
    await db.transaction(async (tx) => {
      if (!(await lockHeldPost(tx, id))) return
      const { waiting } = await publishPosts(services, tx, [id], { from: ['held'] })
      if (waiting.length > 0) await tx.update(post).set({ releaseAt: null }).where(eq(post.id, id))
    })
  }
}
