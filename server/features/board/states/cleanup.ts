import { and, eq, isNotNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { post } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { publicName, withheldName } from '#server/core/storage/fileStore.ts'
import { filesOfPost, imageFiles, imageIdOf } from '#server/core/storage/imageFiles.ts'
import { hasImage } from '#server/features/board/write/images.ts'
import { moderationLimits } from '#src/contract/moderation.ts'
import { changeState } from './changeState.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const BATCH = 500

/** Erases removed posts that can no longer be restored, and held posts that nobody reviewed. Repairs file names. */
export async function eraseOldPosts(services: Services, signal?: AbortSignal): Promise<void> {
  const isOlder = (days: number) => lt(post.stateAt, new Date(services.now().getTime() - days * DAY_MS))
  const isRemoved = sql`${post.state} = 'removed'`
  const { restoreDays, heldDays } = moderationLimits
  const isOld = and(
    sql`${post.state} in ('held', 'removed')`,
    or(and(isOlder(restoreDays), isRemoved), isOlder(heldDays)),
  )
  let erased: number
  do {
    signal?.throwIfAborted()
    erased = await eraseBatch(services, isOld)
  } while (erased === BATCH)
  await repairFileNames(services)
}

/** @returns the number of erased posts */
async function eraseBatch(services: Services, isOld: SQL | undefined): Promise<number> {
  const { db, files } = services
  const rows = await db.select({ id: post.id }).from(post).where(isOld).limit(BATCH)
  const ids = rows.map(({ id }) => id)
  const from = ['held', 'removed'] as const
  const { images } = await db.transaction((tx) =>
    changeState(services, tx, ids, 'erased', { from: [...from], withAnswers: false }),
  )
  const names = images.flatMap(imageFiles)
  await files.remove([...names, ...names.map(withheldName)])
  return ids.length
}

/**
 * Repeats renamings that a crash or a failed transaction prevented or left behind. Lists the files once: in a bucket, a
 * call for each file of each held or removed post would cost too much.
 */
async function repairFileNames(services: Services): Promise<void> {
  const { db, files } = services
  const withheld = await db
    .select({ id: post.id, image: post.image, moreImages: post.moreImages })
    .from(post)
    .where(and(sql`${post.state} in ('held', 'removed')`, isNotNull(post.imageId)))
  const withheldIds = new Map(withheld.flatMap((row) => filesOfPost(row).map((name) => [name, row.id])))
  const hidden = new Set<string>()
  const wrong = new Set<number>()
  for await (const { name } of files.list()) {
    const original = publicName(name)
    const id = withheldIds.get(name)
    if (original !== null) hidden.add(imageIdOf(original))
    else if (id !== undefined) wrong.add(id)
  }
  const shown = await db
    .select({ id: post.id })
    .from(post)
    .where(and(sql`${post.state} = 'live'`, hasImage(post, [...hidden])))
  for (const id of [...wrong, ...shown.map((row) => row.id)]) await renameFiles(services, id)
}

/** Locks the row while it renames the files. Changes of the state rename under the same lock. */
const renameFiles = ({ db, files }: Services, id: number): Promise<void> =>
  db.transaction(async (tx) => {
    const { image, moreImages, state } = post
    const [row] = await tx.select({ image, moreImages, state }).from(post).where(eq(post.id, id)).for('share')
    if (!row) return
    if (row.state === 'live') await files.release(filesOfPost(row))
    else await files.withhold(filesOfPost(row))
  })
