import { and, eq, getTableColumns, isNotNull, isNull, ne, or, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Transaction } from '#db/client.server.ts'
import { livePost, post, type StoredImage, thread } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { publish } from '#server/core/events/writeAndPublish.ts'
import { imagesOf } from '#server/core/storage/imageFiles.ts'
import { changesOfPost } from '#server/features/board/postEvents.ts'
import { changedNow, imagesOfThread, isLive, type PostTarget } from '#server/features/board/read/queries.ts'
import { hasTooManyPins } from '#server/features/board/states/threadStates.ts'
import { boardLimits } from '#src/contract/board.ts'
import { type PostAction, THREAD_ACTIONS } from '#src/contract/moderation.ts'
import { POST_FLAG_ACTIONS } from '#src/contract/post.ts'
import { refusal } from '#src/contract/refusal.ts'
import { THREAD_FLAG_ACTIONS } from '#src/contract/thread.ts'
import { toFurtherImage, toImageColumns } from './images.ts'

export type PostChange = Exclude<PostAction, 'delete' | 'move'>

type ChangedPost = Pick<PostTarget, 'id' | 'threadId' | 'archivedAt'> & { board: Pick<PostTarget['board'], 'id'> }

/**
 * Changes a post, or the thread that it opens. After the commit, the caller deletes the files of deleted images.
 * @param deleted the images that `delete-image` deletes
 * @returns whether anything changed: false if the post already was as requested
 * @throws AppError 409 for one pinned thread too many, or if an archived thread would be locked or pinned
 */
export async function changePost(
  { now }: Pick<Context, 'now'>,
  tx: Transaction,
  { id, threadId, archivedAt, board }: ChangedPost,
  change: PostChange,
  deleted: StoredImage[] = [],
): Promise<boolean> {
  if (archivedAt && change !== 'unarchive' && isThreadChange(change))
    throw errors.conflict(refusal('board.threadArchivedRefusal'))
  const rows = await CHANGES[change](tx, { id, threadId }, deleted, now())
  if (rows.length === 0) return false
  if (change === 'pin' && (await hasTooManyPins(tx, board.id)))
    throw errors.conflict(refusal('moderation.tooManyPins', { max: boardLimits.pinnedThreads }))
  await publishChange(tx, now(), board.id, { id, threadId })
  return true
}

type Changed = Pick<PostTarget, 'id' | 'threadId'>

async function publishChange(tx: Transaction, now: Date, boardId: string, { id, threadId }: Changed): Promise<void> {
  const changedAt = changedNow(now)
  await tx.update(thread).set({ changedAt }).where(eq(thread.id, threadId))
  await publish(tx, now, changesOfPost(boardId, threadId, id))
}

/** Whether the change needs a thread's opening post. */
export const isThreadChange = (change: PostAction) => (THREAD_ACTIONS as readonly string[]).includes(change)

type Apply = (tx: Transaction, target: Changed, deleted: StoredImage[], now: Date) => Promise<{ id: number }[]>

const changeOfPost =
  (values: Partial<typeof post.$inferInsert>, isDifferent: SQL | undefined): Apply =>
  (tx, { id }) => {
    const isChanged = and(eq(post.id, id), isDifferent)
    return tx.update(post).set(values).where(isChanged).returning({ id: post.id })
  }

const changeOfThread =
  (createValues: (now: Date) => Partial<typeof thread.$inferInsert>, isDifferent: SQL | undefined): Apply =>
  (tx, { id }, _deleted, now) => {
    const isChanged = and(eq(thread.id, id), isDifferent)
    return tx.update(thread).set(createValues(now)).where(isChanged).returning({ id: thread.id })
  }

/** Returns a condition for rows in which one of the columns has another value. */
function isOther(table: PgTable, values: object): SQL | undefined {
  const columns = getTableColumns(table)
  return or(...Object.entries(values).map(([name, value]) => ne(columns[name] as PgColumn, value)))
}

/** The thread comes back as the most recently active one, or the board's limit would archive it again. */
const unarchive = changeOfThread(
  (now) => ({ archivedAt: null, lastActivity: now }),
  and(isNull(thread.deletedAt), isNotNull(thread.archivedAt)),
)

/** Writes a public note below a live post. */
export async function writeNote(
  { now }: Pick<Context, 'now'>,
  tx: Transaction,
  boardId: string,
  id: number,
  note: string,
) {
  const isNoted = and(eq(post.id, id), eq(post.state, 'live'))
  const [noted] = await tx.update(post).set({ note }).where(isNoted).returning({ threadId: post.threadId })
  if (noted) await publishChange(tx, now(), boardId, { id, threadId: noted.threadId })
}

const deleteImages: Apply = async (tx, { id, threadId }, deleted) => {
  // Locks the thread first, as the removal of posts does.
  await tx.select({ id: thread.id }).from(thread).where(eq(thread.id, threadId)).for('update')
  const { image, moreImages } = livePost
  const [before] = await tx.select({ image, moreImages }).from(livePost).where(eq(livePost.id, id)).for('update')
  const names = new Set(deleted.map(({ name }) => name))
  const images = before ? imagesOf(before) : []
  const left = images.filter(({ name }) => !names.has(name))
  if (left.length === images.length) return []
  const changed = await tx
    .update(post)
    .set({
      ...toImageColumns(left.map((one) => toFurtherImage(one, one.place ?? 0))),
      ...(left.length === 0 && { spoiler: false, fileDeleted: true }),
    })
    .where(eq(post.id, id))
    .returning({ id: post.id })
  await tx.update(thread).set({ imageCount: imagesOfThread }).where(eq(thread.id, threadId))
  return changed
}

/** Returns the change of each action that sets a flag. */
const changesOf = <Actions extends object>(actions: Actions, toApply: (values: Actions[keyof Actions]) => Apply) =>
  Object.fromEntries(Object.entries(actions).map(([action, values]) => [action, toApply(values)])) as Record<
    keyof Actions,
    Apply
  >

const CHANGES: Record<PostChange, Apply> = {
  'delete-image': deleteImages,
  'remove-note': changeOfPost({ note: null }, isNotNull(post.note)),
  ...changesOf(POST_FLAG_ACTIONS, (values) =>
    // Only images are covered.
    changeOfPost(values, and(isOther(post, values), 'spoiler' in values ? isNotNull(post.imageId) : undefined)),
  ),
  ...changesOf(THREAD_FLAG_ACTIONS, (values) => changeOfThread(() => values, and(isLive, isOther(thread, values)))),
  unarchive,
}
