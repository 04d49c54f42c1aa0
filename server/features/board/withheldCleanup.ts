import { and, eq, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Database } from '#db/client.server.ts'
import { board, post, removedQuote, withheldPost } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { type FileStore, publicName, withheldName } from '#server/core/storage/fileStore.ts'
import { filesOfPost, imageIdOf } from '#server/core/storage/imageFiles.ts'
import { moderationLimits } from '#src/contract/moderation.ts'
import { hasImage } from './images.ts'
import { idList } from './quotes.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const BATCH = 500

/**
 * Deletes removed posts that can no longer be restored, held posts that nobody reviewed, and what a crash left of deleted
 * boards. Repairs file names.
 */
export async function deleteOldWithheldPosts(services: Services, signal?: AbortSignal): Promise<void> {
  const isOlder = (days: number) => lt(withheldPost.withheldAt, new Date(services.now().getTime() - days * DAY_MS))
  const { restoreDays, heldDays } = moderationLimits
  const isOfDeletedBoard = sql`${withheldPost.boardId} in (select ${board.id} from ${board} where ${isNotNull(board.deletedAt)})`
  const isOld = or(and(isOlder(restoreDays), isNull(withheldPost.heldFor)), isOlder(heldDays), isOfDeletedBoard) as SQL
  await eraseAllWithheld(services, isOld, signal)
  await repairFileNames(services)
}

/** Erases withheld posts with their files and quotes. They cannot be restored. */
export async function eraseAllWithheld(
  services: Pick<Services, 'db' | 'files'>,
  condition: SQL,
  signal?: AbortSignal,
): Promise<void> {
  let erased: number
  do {
    signal?.throwIfAborted()
    erased = await eraseWithheld(services, condition)
  } while (erased === BATCH)
}

const imageColumns = { image: withheldPost.image, moreImages: withheldPost.moreImages }

/** @returns the number of erased posts, at most 500 */
async function eraseWithheld({ db, files }: Pick<Services, 'db' | 'files'>, condition: SQL): Promise<number> {
  const rows = await db.transaction(async (tx) => {
    const erased = await tx
      .delete(withheldPost)
      .where(
        sql`${withheldPost.id} in (
          select ${withheldPost.id} from ${withheldPost} where ${condition} limit ${BATCH} for update skip locked)`,
      )
      .returning({ id: withheldPost.id, ...imageColumns })
    const ids = sql`(select unnest(${idList(erased.map(({ id }) => id))}))`
    await tx.delete(removedQuote).where(sql`${removedQuote.fromId} in ${ids} or ${removedQuote.toId} in ${ids}`)
    return erased
  })
  const names = rows.flatMap(filesOfPost)
  await files.remove([...names, ...names.map(withheldName)])
  return rows.length
}

/**
 * Repeats renamings that a crash or a failed transaction prevented or left behind. Lists the files once: in a bucket, a
 * call for each file of each withheld post would cost too much.
 */
async function repairFileNames({ db, files }: Pick<Services, 'db' | 'files'>): Promise<void> {
  const withheld = await db
    .select({ id: withheldPost.id, ...imageColumns })
    .from(withheldPost)
    .where(isNotNull(withheldPost.imageId))
  const withheldIds = new Map(withheld.flatMap((row) => filesOfPost(row).map((name) => [name, row.id])))
  const hidden = new Set<string>()
  const left = new Set<number>()
  for await (const { name } of files.list()) {
    const original = publicName(name)
    const id = withheldIds.get(name)
    if (original !== null) hidden.add(imageIdOf(original))
    else if (id !== undefined) left.add(id)
  }
  await renameFiles(db, withheldPost, left, files.withhold)
  const shown = await db
    .select({ id: post.id })
    .from(post)
    .where(hasImage(post, [...hidden]))
  await renameFiles(
    db,
    post,
    shown.map(({ id }) => id),
    files.release,
  )
}

/** Locks each row while it renames the files. Removals and restorations rename under the same locks. */
async function renameFiles(
  db: Database,
  table: typeof post | typeof withheldPost,
  ids: Iterable<number>,
  rename: FileStore['withhold'],
): Promise<void> {
  const { image, moreImages } = table
  for (const id of ids) {
    await db.transaction(async (tx) => {
      const rows = await tx.select({ image, moreImages }).from(table).where(eq(table.id, id)).for('share')
      await rename(rows.flatMap(filesOfPost))
    })
  }
}
