import { inArray, lte } from 'drizzle-orm'
import type { Database } from '#db/client.server.ts'
import { imageShare } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { imageFiles, imageIdOf } from '#server/core/storage/imageFiles.ts'

const BATCH = 200

/** Which of these files belong to a shared image. */
export async function sharedFiles(db: Database, names: string[]): Promise<string[]> {
  const ids = [...new Set(names.map(imageIdOf))]
  const rows = await db.select({ imageId: imageShare.imageId }).from(imageShare).where(inArray(imageShare.imageId, ids))
  const owned = new Set(rows.map((row) => row.imageId))
  return names.filter((name) => owned.has(imageIdOf(name)))
}

/** Deletes what has expired: rows first, so that what a crash leaves are files without an owner, which are swept. */
export async function sweepImageShares({ db, files, now }: Pick<Services, 'db' | 'files' | 'now'>): Promise<void> {
  for (;;) {
    const expired = db
      .select({ id: imageShare.id })
      .from(imageShare)
      .where(lte(imageShare.expiresAt, now()))
      .limit(BATCH)
    const removed = await db
      .delete(imageShare)
      .where(inArray(imageShare.id, expired))
      .returning({ image: imageShare.image })
    await files.remove(removed.flatMap(({ image }) => imageFiles(image)))
    if (removed.length < BATCH) return
  }
}
