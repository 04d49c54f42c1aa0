import { and, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { post, withheldPost } from '#db/schema/index.ts'
import type { Context, Services } from '#server/core/context.ts'
import { isBoardId } from './ids.ts'
import { idList } from './quotes.ts'

export type HeldLocation = { boardId: string; threadId: number; parentId: number | null; id: number }

/** Returns whether a post is held at this place: for an opening post, in its own thread. */
export async function isHeldAt({ db }: Pick<Services, 'db'>, { boardId, threadId, parentId, id }: HeldLocation) {
  if (!isBoardId(boardId)) return false
  const isAtParent = parentId === null ? isNull(withheldPost.parentId) : eq(withheldPost.parentId, parentId)
  const isHere = and(eq(withheldPost.boardId, boardId), eq(withheldPost.threadId, threadId), isAtParent)
  return (await db.$count(withheldPost, and(eq(withheldPost.id, id), isHere, isNotNull(withheldPost.heldFor)))) > 0
}

/**
 * Locks the held posts among the given posts, in threads that they open, and under comments among them. Before, the
 * caller locks the threads, in the same order as `publishWithheld`.
 */
export async function lockHeldPosts(tx: Transaction, given: SQL): Promise<number[]> {
  const isAffected = sql`${withheldPost.id} in (
    select ${withheldPost.id} from ${withheldPost} where ${withheldPost.id} in ${given}
    union select ${withheldPost.id} from ${withheldPost}
      where ${withheldPost.heldFor} is not null and ${withheldPost.threadId} in (select ${post.threadId} from ${post} where ${post.id} in ${given})
        and (${withheldPost.threadId} in ${given} or ${withheldPost.parentId} in ${given}))`
  const rows = await tx
    .select({ id: withheldPost.id })
    .from(withheldPost)
    .where(and(isNotNull(withheldPost.heldFor), isAffected))
    .orderBy(withheldPost.id)
    .for('update')
  return rows.map(({ id }) => id)
}

/** Removes held posts. Nobody has reviewed them, so restoring the log entry does not publish them. */
export async function removeHeldPosts(
  tx: Transaction,
  { now }: Pick<Context, 'now'>,
  ids: number[],
  logId: number,
): Promise<void> {
  if (ids.length === 0) return
  await tx
    .update(withheldPost)
    .set({ wasHeldFor: withheldPost.heldFor, heldFor: null, releaseAt: null, logId, withheldAt: now() })
    .where(inArray(withheldPost.id, sql`(select unnest(${idList(ids)}))`))
}

/** Holds the posts again that a log entry removed while they were held. @returns their number */
export async function holdAgain(tx: Transaction, logId: number): Promise<number> {
  const held = await tx
    .update(withheldPost)
    .set({ heldFor: withheldPost.wasHeldFor, wasHeldFor: null, logId: null })
    .where(and(eq(withheldPost.logId, logId), isNotNull(withheldPost.wasHeldFor)))
    .returning({ id: withheldPost.id })
  return held.length
}
