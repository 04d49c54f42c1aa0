import { and, desc, eq, lte } from 'drizzle-orm'
import { article, type PictureSource } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { newImageId } from '#server/core/storage/imageFiles.ts'
import { findPicture, type Search } from './findImage.ts'

type Keeper = Pick<Services, 'config' | 'db' | 'fetcher' | 'files' | 'images' | 'now'>
export type Waiting = { id: number; imageUrls: PictureSource[]; imageAt: Date | null }

const MINUTE = 60_000
/** How long an article is its seeker's alone: longer than all its sources can take. */
const CLAIM_MS = 10 * MINUTE
/** Until the next try, after the first failure, the second, ... */
const WAITS = [10 * MINUTE, 60 * MINUTE, 6 * 60 * MINUTE]

/** Articles whose picture is to be looked for now, the newest first. */
export const findWaiting = ({ db, now }: Pick<Keeper, 'db' | 'now'>, limit: number): Promise<Waiting[]> =>
  db
    .select({ id: article.id, imageUrls: article.imageUrls, imageAt: article.imageAt })
    .from(article)
    .where(lte(article.imageAt, now()))
    .orderBy(desc(article.publishedAt), desc(article.id))
    .limit(limit)

/**
 * Looks for the picture of one article, unless somebody else does, and keeps it.
 * @returns whether it has one now
 */
export async function fetchPicture(
  keeper: Keeper,
  { id, imageUrls, imageAt }: Waiting,
  search: Search,
): Promise<boolean> {
  const { db, files, now } = keeper
  if (imageAt === null) return false
  const claim = new Date(now().getTime() + CLAIM_MS)
  const claimed = await db
    .update(article)
    // Counted before it is tried: a picture that ended the process would do so again and again.
    .set({ imageAt: claim, imageUrls: imageUrls.map(counted) })
    .where(and(eq(article.id, id), eq(article.imageAt, imageAt)))
    .returning({ id: article.id })
  if (claimed.length === 0) return false
  const isOurs = and(eq(article.id, id), eq(article.imageAt, claim))
  const { picture, left } = await findPicture(keeper, imageUrls, search)
  if (picture) {
    const imageId = newImageId()
    const image = { name: `${imageId}.${picture.ext}`, width: picture.width, height: picture.height }
    await files.put(image.name, picture.bytes)
    const kept = await db
      .update(article)
      .set({ imageId, image, imageAt: null, imageUrls: [] })
      .where(isOurs)
      .returning({ id: article.id })
    // The article has gone meanwhile, or somebody else took this turn for dead.
    if (kept.length === 0) await files.remove([image.name])
    return kept.length > 0
  }
  const next = search.signal.aborted ? { imageAt, imageUrls } : { imageAt: nextTry(left, now()), imageUrls: left }
  await db.update(article).set(next).where(isOurs)
  return false
}

const counted = (source: PictureSource): PictureSource => ({ ...source, failures: (source.failures ?? 0) + 1 })

function nextTry(left: PictureSource[], now: Date): Date | null {
  if (left.length === 0) return null
  const failures = Math.max(...left.map((source) => source.failures ?? 0))
  const wait = WAITS[Math.min(Math.max(failures, 1), WAITS.length) - 1] ?? 0
  return new Date(now.getTime() + wait)
}
