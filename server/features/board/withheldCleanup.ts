import { and, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { board, post, removedQuote, withheldPost } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { publicName, withheldName } from '#server/core/storage/fileStore.ts'
import { filesOfPost, imageIdOf, imagesOf, type PostImages } from '#server/core/storage/imageFiles.ts'
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
  const withheld = await db.select(imageColumns).from(withheldPost).where(isNotNull(withheldPost.imageId))
  const withheldNames = new Set(withheld.flatMap(filesOfPost))
  const hidden: string[] = []
  const left: string[] = []
  for await (const { name } of files.list()) {
    const original = publicName(name)
    if (original !== null) hidden.push(original)
    else if (withheldNames.has(name)) left.push(name)
  }
  await files.withhold(left)
  hidden.push(...left)
  // Read after the renaming: a post can be restored meanwhile.
  const shown: PostImages[] = await db
    .select({ image: post.image, moreImages: post.moreImages })
    .from(post)
    .where(hasImage(post, [...new Set(hidden.map(imageIdOf))]))
  const shownIds = new Set(shown.flatMap(imagesOf).map(({ name }) => imageIdOf(name)))
  await files.release(hidden.filter((name) => shownIds.has(imageIdOf(name))))
}
