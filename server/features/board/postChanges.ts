import { and, eq, isNotNull, isNull, ne } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { post, thread } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { publish } from '#server/core/events/writeAndPublish.ts'
import type { Change } from '#src/contract/events.ts'
import type { PostAction } from '#src/contract/moderation.ts'
import type { PostTarget } from './queries.ts'

export type PostChange = Exclude<PostAction, 'delete'>

/**
 * Changes a post, or the thread that it opens. After the commit, the caller deletes the files of a deleted image.
 * @returns whether anything changed: false if the post already was as requested
 */
export async function changePost(
  { now }: Pick<Context, 'now'>,
  tx: Transaction,
  { id, threadId, board }: PostTarget,
  change: PostChange,
): Promise<boolean> {
  const { event, apply } = CHANGES[change]
  const rows = await apply(tx, id)
  if (rows.length === 0) return false
  await publish(tx, now(), [
    { topic: `thread:${threadId}`, change: event(id) },
    { topic: `board:${board.id}`, change: { kind: 'thread', threadId } },
  ])
  return true
}

type Rows = Promise<{ id: number }[]>

/** Events carry posts, but not the state of threads, so an open page of a changed thread reloads its data. */
const updatePost = (apply: (tx: Transaction, id: number) => Rows) => ({
  event: (postId: number): Change => ({ kind: 'post', postId }),
  apply,
})
const updateThread = (apply: (tx: Transaction, id: number) => Rows) => ({
  event: (): Change => ({ kind: 'stale' }),
  apply,
})

const setSpoiler = (spoiler: boolean) =>
  updatePost((tx, id) =>
    tx
      .update(post)
      .set({ spoiler })
      .where(and(eq(post.id, id), isNotNull(post.imageId), ne(post.spoiler, spoiler)))
      .returning({ id: post.id }),
  )

const setFlag = (flag: 'locked' | 'pinned', value: boolean) =>
  updateThread((tx, id) =>
    tx
      .update(thread)
      .set({ [flag]: value })
      .where(and(eq(thread.id, id), isNull(thread.deletedAt), ne(thread[flag], value)))
      .returning({ id: thread.id }),
  )

const deleteImage = updatePost((tx, id) =>
  tx
    .update(post)
    .set({ image: null, imageId: null, spoiler: false })
    .where(and(eq(post.id, id), isNotNull(post.imageId)))
    .returning({ id: post.id }),
)

const CHANGES: Record<PostChange, ReturnType<typeof updatePost> | ReturnType<typeof updateThread>> = {
  'delete-image': deleteImage,
  spoiler: setSpoiler(true),
  unspoiler: setSpoiler(false),
  lock: setFlag('locked', true),
  unlock: setFlag('locked', false),
  pin: setFlag('pinned', true),
  unpin: setFlag('pinned', false),
}
