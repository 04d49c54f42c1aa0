import { and, eq, isNotNull, ne } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { post, thread } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { publish } from '#server/core/events/writeAndPublish.ts'
import { boardMessages } from '#src/contract/board.ts'
import { moderationMessages, type PostAction } from '#src/contract/moderation.ts'
import { hasTooManyPins } from './pins.ts'
import type { PostTarget } from './queries.ts'
import { imagesOfThread, isLive } from './threadConditions.ts'

export type PostChange = Exclude<PostAction, 'delete'>

/**
 * Changes a post, or the thread that it opens. After the commit, the caller deletes the files of a deleted image.
 * @returns whether anything changed: false if the post already was as requested
 * @throws AppError 409 for one pinned thread too many, or if an archived thread would be locked or pinned
 */
export async function changePost(
  { now }: Pick<Context, 'now'>,
  tx: Transaction,
  { id, threadId, archivedAt, board }: PostTarget,
  change: PostChange,
): Promise<boolean> {
  if (archivedAt && isThreadChange(change)) throw errors.conflict(boardMessages.threadArchived)
  const rows = await CHANGES[change](tx, { id, threadId })
  if (rows.length === 0) return false
  if (change === 'pin' && (await hasTooManyPins(tx, board.id))) throw errors.conflict(moderationMessages.tooManyPins)
  await publish(tx, now(), [
    { topic: `thread:${threadId}`, change: { kind: 'post', postId: id } },
    { topic: `board:${board.id}`, change: { kind: 'thread', threadId } },
  ])
  return true
}

const isThreadChange = (change: PostChange) => ['lock', 'unlock', 'pin', 'unpin'].includes(change)

type Apply = (tx: Transaction, target: Pick<PostTarget, 'id' | 'threadId'>) => Promise<{ id: number }[]>

const setSpoiler =
  (spoiler: boolean): Apply =>
  (tx, { id }) =>
    tx
      .update(post)
      .set({ spoiler })
      .where(and(eq(post.id, id), isNotNull(post.imageId), ne(post.spoiler, spoiler)))
      .returning({ id: post.id })

const setFlag =
  (flag: 'locked' | 'pinned', value: boolean): Apply =>
  (tx, { id }) =>
    tx
      .update(thread)
      .set({ [flag]: value })
      .where(and(eq(thread.id, id), isLive, ne(thread[flag], value)))
      .returning({ id: thread.id })

const deleteImage: Apply = async (tx, { id, threadId }) => {
  // Locks the thread first, as the removal of posts does.
  await tx.select({ id: thread.id }).from(thread).where(eq(thread.id, threadId)).for('update')
  const changed = await tx
    .update(post)
    .set({ image: null, imageId: null, spoiler: false })
    .where(and(eq(post.id, id), isNotNull(post.imageId)))
    .returning({ id: post.id })
  await tx.update(thread).set({ imageCount: imagesOfThread }).where(eq(thread.id, threadId))
  return changed
}

const CHANGES: Record<PostChange, Apply> = {
  'delete-image': deleteImage,
  spoiler: setSpoiler(true),
  unspoiler: setSpoiler(false),
  lock: setFlag('locked', true),
  unlock: setFlag('locked', false),
  pin: setFlag('pinned', true),
  unpin: setFlag('pinned', false),
}
