import { gt } from 'drizzle-orm'
import type { Database } from '#db/client.server.ts'
import { blockedImage } from '#db/schema/index.ts'
import { createPerceptualIndex, type PerceptualIndex } from '#server/core/media/perceptualIndex.ts'

/** `exact` has the ids of blocked images by the hashes of their files, as `hashKey` returns them. */
export type LiveBlockedImages = {
  exact: Map<string, number>
  perceptual: PerceptualIndex
  count: number
  lastId: number
}

const BATCH = 5000

export const hashKey = (hash: Uint8Array) => Buffer.from(hash).toString('base64')

const createEmpty = (): LiveBlockedImages => ({
  exact: new Map(),
  perceptual: createPerceptualIndex(),
  count: 0,
  lastId: 0,
})

/** Returns a function that loads all hashes, and later only those that were added. */
export function createBlockedImageLoader(db: Database): () => Promise<LiveBlockedImages> {
  let loaded = createEmpty()
  return async () => {
    await addNewImages(db, loaded)
    // Images were removed, or a slow transaction added one with an earlier id. Then load all of them again.
    if ((await db.$count(blockedImage)) !== loaded.count) {
      const all = createEmpty()
      await addNewImages(db, all)
      loaded = all
    }
    return loaded
  }
}

async function addNewImages(db: Database, images: LiveBlockedImages): Promise<void> {
  for (;;) {
    const { id, uploadHash, originalHash, variants } = blockedImage
    const rows = await db
      .select({ id, uploadHash, originalHash, variants })
      .from(blockedImage)
      .where(gt(id, images.lastId))
      .orderBy(id)
      .limit(BATCH)
    for (const row of rows) {
      images.exact.set(hashKey(row.originalHash), row.id)
      if (row.uploadHash) images.exact.set(hashKey(row.uploadHash), row.id)
      if (row.variants) images.perceptual.add(row.id, row.variants)
      images.count++
      images.lastId = row.id
    }
    if (rows.length < BATCH) return
  }
}
