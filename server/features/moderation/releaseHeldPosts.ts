import { and, asc, eq, isNotNull, lte } from 'drizzle-orm'
import { withheldPost } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { publishWithheld } from '#server/features/board/withheld.ts'
import { lockHeldPost } from './heldPosts.ts'

/** Posts per run. A raid can leave thousands: they are published over several runs. */
const BATCH = 100

/** Publishes held posts whose time has come. A post that has lost its place stays in the queue. */
export async function releaseHeldPosts(services: Services, signal?: AbortSignal): Promise<void> {
  const { db, now } = services
  const isDue = and(lte(withheldPost.releaseAt, now()), isNotNull(withheldPost.heldFor))
  const due = await db
    .select({ id: withheldPost.id })
    .from(withheldPost)
    .where(isDue)
    .orderBy(asc(withheldPost.releaseAt))
    .limit(BATCH)
  // One transaction each, so that one post cannot keep the others.
  for (const { id } of due) {
    signal?.throwIfAborted()
    await db.transaction(async (tx) => {
      if (!(await lockHeldPost(tx, id))) return
      const { waiting } = await publishWithheld(services, tx, [id])
      if (waiting.length > 0) await tx.update(withheldPost).set({ releaseAt: null }).where(eq(withheldPost.id, id))
    })
  }
}
