import { inArray, lte } from 'drizzle-orm'
import { imageShare } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { imageFiles } from '#server/core/storage/imageFiles.ts'

const BATCH = 200

/** Deletes rows before files, because the cleanup job deletes files without a row after a crash. */
export async function deleteExpiredImageShares({
  db,
  files,
  now,
}: Pick<Services, 'db' | 'files' | 'now'>): Promise<void> {
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
