import { inArray } from 'drizzle-orm'
import type { Database } from '#db/client.server.ts'
import { post } from '#db/schema/index.ts'
import { imageIdOf } from '#server/core/storage/imageFiles.ts'

/** Which of these files belong to a post; the others are leftovers of posts that were never written. */
export async function ownedFiles(db: Database, names: string[]): Promise<string[]> {
  const ids = [...new Set(names.map(imageIdOf))]
  const rows = await db.select({ imageId: post.imageId }).from(post).where(inArray(post.imageId, ids))
  const owned = new Set(rows.map((row) => row.imageId))
  return names.filter((name) => owned.has(imageIdOf(name)))
}
