import { and, eq, isNotNull, lt, or, sql } from 'drizzle-orm'
import { post } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { publicName, withheldName } from '#server/core/storage/fileStore.ts'
import { filesOfPost, imageFiles, imageIdOf } from '#server/core/storage/imageFiles.ts'
import { hasImage } from '#server/features/board/write/images.ts'
import { moderationLimits } from '#src/contract/moderation.ts'
import { changeState, type StateReason } from './changeState.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const BATCH = 500

/** Erases removed posts that can no longer be restored, and held posts that nobody reviewed. Repairs file names. */
export async function eraseOldPosts(services: Services, signal?: AbortSignal): Promise<void> {
  const { db, files, now } = services
  const isOlder = (days: number) => lt(post.stateAt, new Date(now().getTime() - days * DAY_MS))
  const { restoreDays, heldDays } = moderationLimits
  const isOldRemoved = and(isOlder(restoreDays), sql`${post.state} = 'removed'`)
  const isOld = and(sql`${post.state} in ('held', 'removed')`, or(isOldRemoved, isOlder(heldDays)))
  for (let erased = BATCH; erased === BATCH; ) {
    signal?.throwIfAborted()
    const rows = await db.select({ id: post.id }).from(post).where(isOld).limit(BATCH)
    const ids = rows.map(({ id }) => id)
    const reason: StateReason = { from: ['held', 'removed'], withAnswers: false }
    const { images } = await db.transaction((tx) => changeState(services, tx, ids, 'erased', reason))
    const names = images.flatMap(imageFiles)
    await files.remove([...names, ...names.map(withheldName)])
    erased = ids.length
  }
  await repairFileNames(services)
}

/**
 * Repeats renamings that a crash or a failed transaction prevented or left behind. Lists the files once: in a bucket, a
 * call for each file of each held or removed post would cost too much.
 */
async function repairFileNames(services: Services): Promise<void> {
  const { db, files } = services
  const isWithheld = and(sql`${post.state} in ('held', 'removed')`, isNotNull(post.imageId))
  const { id, image, moreImages } = post
  const withheld = await db.select({ id, image, moreImages }).from(post).where(isWithheld)
  const withheldIds = new Map(withheld.flatMap((row) => filesOfPost(row).map((name) => [name, row.id])))
  const hidden = new Set<string>()
  const wrong = new Set<number>()
  for await (const { name } of files.list()) {
    const original = publicName(name)
    const id = withheldIds.get(name)
    if (original !== null) hidden.add(imageIdOf(original))
    else if (id !== undefined) wrong.add(id)
  }
  const isShown = and(sql`${post.state} = 'live'`, hasImage(post, [...hidden]))
  const shown = await db.select({ id }).from(post).where(isShown)
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
