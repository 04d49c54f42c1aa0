import { eq, or, sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { removedQuote, type StoredImage, thread, withheldPost } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { publish } from '#server/core/events/writeAndPublish.ts'
import { type LogRecord, writeLog } from '#server/core/moderation/log.ts'
import { imagesOf } from '#server/core/storage/imageFiles.ts'
import { idList } from './quotes.ts'
import { removePosts } from './removal.ts'

type PostLocation = { boardId: string; threadId: number; postId: number }
/** `logId` is null if there was nothing to erase */
type Erasure = { logId: number | null; ids: number[]; images: StoredImage[] }

/**
 * Removes a post with its replies, or a thread with its posts, and erases the removed posts, so that they cannot be
 * restored. Also erases those that were removed before. The caller removes the files, under both of their names.
 */
export async function erasePosts(
  ctx: Pick<Context, 'files' | 'now'>,
  tx: Transaction,
  { boardId, threadId, postId }: PostLocation,
  record: LogRecord,
): Promise<Erasure> {
  // Waits for a request that is restoring posts of the thread.
  await tx.select({ id: thread.id }).from(thread).where(eq(thread.id, threadId)).for('update')
  const removed = await removePosts(ctx, tx, [postId], record)
  const condition =
    postId === threadId
      ? eq(withheldPost.threadId, threadId)
      : or(eq(withheldPost.id, postId), eq(withheldPost.parentId, postId))
  // Overwrites the row first, so that its latest version in the database has no text.
  await tx.update(withheldPost).set({ title: null, author: '', content: '', links: [] }).where(condition)
  const erased = await tx
    .delete(withheldPost)
    .where(condition)
    .returning({ id: withheldPost.id, image: withheldPost.image, moreImages: withheldPost.moreImages })
  const ids = erased.map(({ id }) => id)
  const isErased = sql`(select unnest(${idList(ids)}))`
  await tx.delete(removedQuote).where(sql`${removedQuote.fromId} in ${isErased} or ${removedQuote.toId} in ${isErased}`)
  await publish(tx, ctx.now(), [
    { topic: `thread:${threadId}`, change: { kind: 'erased' } },
    { topic: `board:${boardId}`, change: { kind: 'erased' } },
  ])
  const isLogged = removed.logId !== null || ids.length === 0
  const logId = isLogged ? removed.logId : await writeLog(tx, ctx.now(), { ...record, count: ids.length })
  return { logId, ids, images: erased.flatMap(imagesOf) }
}
