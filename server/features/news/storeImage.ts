import { and, desc, eq, lte } from 'drizzle-orm'
import { article, type ImageSource } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { createImageId } from '#server/core/storage/imageFiles.ts'
import { findImage, type ImageSearch, isUntried } from './findImage.ts'

type Deps = Pick<Services, 'config' | 'db' | 'fetcher' | 'files' | 'images' | 'now'>
type ArticleWithoutImage = { id: number; imageUrls: ImageSource[]; imageAt: Date | null }

const MINUTE = 60_000
const RETRY_DELAYS_MS = [10 * MINUTE, 60 * MINUTE, 6 * 60 * MINUTE]

export const findArticlesWithoutImage = (
  { db, now }: Pick<Deps, 'db' | 'now'>,
  limit: number,
): Promise<ArticleWithoutImage[]> =>
  db
    .select({ id: article.id, imageUrls: article.imageUrls, imageAt: article.imageAt })
    .from(article)
    .where(lte(article.imageAt, now()))
    .orderBy(desc(article.publishedAt), desc(article.id))
    .limit(limit)

/** Looks for an article's image, and stores it. @returns whether an image was stored */
export async function storeArticleImage(
  deps: Deps,
  { id, imageUrls, imageAt }: ArticleWithoutImage,
  search: ImageSearch,
): Promise<boolean> {
  const { db, files, now } = deps
  if (imageAt === null) return false
  // Unless its feed adds a source meanwhile: then the next run tries all sources.
  const isUnchanged = and(eq(article.id, id), eq(article.imageAt, imageAt))
  const update = (values: Partial<typeof article.$inferInsert>) =>
    db.update(article).set(values).where(isUnchanged).returning({ id: article.id })
  // Count a failure before the attempt, so that an image that crashes the process is not retried forever.
  if ((await update({ imageUrls: imageUrls.map(withFailure) })).length === 0) return false
  const { thumbnail, remaining } = await findImage(deps, imageUrls, search)
  if (thumbnail) {
    const imageId = createImageId()
    const image = { name: `${imageId}.${thumbnail.ext}`, width: thumbnail.width, height: thumbnail.height }
    await files.put(image.name, thumbnail.bytes)
    const updated = await update({ imageId, image, imageAt: null, imageUrls: [] })
    // The article was deleted or changed.
    if (updated.length === 0) await files.remove([image.name])
    return updated.length > 0
  }
  const isAborted = search.signal.aborted
  await update(isAborted ? { imageUrls } : { imageAt: nextAttempt(remaining, now()), imageUrls: remaining })
  return false
}

const withFailure = (source: ImageSource): ImageSource => ({ ...source, failures: (source.failures ?? 0) + 1 })

function nextAttempt(sources: ImageSource[], now: Date): Date | null {
  const open = sources.filter(isUntried)
  if (open.length === 0) return null
  const failures = Math.max(...open.map((source) => source.failures ?? 0))
  const wait = RETRY_DELAYS_MS[Math.min(Math.max(failures, 1), RETRY_DELAYS_MS.length) - 1] ?? 0
  return new Date(now.getTime() + wait)
}
