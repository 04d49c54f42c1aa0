import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Database } from '#db/client.server.ts'
import { furtherImageIds } from '#db/schema/columns.ts'
import { type FurtherImage, type livePost, post, type StoredImage } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import type { ImageSizes } from '#server/core/media/encodeImage.ts'
import { createImageId, imageFiles, imageIdOf, storeUpload } from '#server/core/storage/imageFiles.ts'
import { retryLater } from '#server/core/storage/retryLater.ts'
import { admitPostImage } from '#server/features/moderation/rules/blockedImages.ts'
import type { UploadedFile } from '#src/contract/image.ts'
import { imageHeights } from '#src/contract/post.ts'
import type { HoldCode } from '#src/contract/queue.ts'
import { refusal } from '#src/contract/refusal.ts'

/** Maximum widths of images in CSS px: the text column, and a card of a list. */
export const POST_WIDTH = 680
export const LIST_WIDTH = 320

export type PostKind = keyof Omit<typeof imageHeights, 'list'>

export const displaySizes = (kind: PostKind): ImageSizes => ({
  preview: { width: LIST_WIDTH, height: imageHeights.list },
  display: { width: POST_WIDTH, height: imageHeights[kind] },
})

/** `heldFor`: why the post with these images waits for a review */
export type StoredPostImages = { images: FurtherImage[]; heldFor: HoldCode | null }

/**
 * Stores the images of a post one after the other. If one is refused, removes those before it.
 * @throws AppError as storeUpload, or 403 for a blocked image
 */
export async function storePostImages(
  ctx: Context,
  uploads: UploadedFile[],
  kind: PostKind,
): Promise<StoredPostImages> {
  if (uploads.some(({ truncated }) => truncated)) throw errors.tooLarge(refusal('image.size'))
  const stored: StoredPostImages = { images: [], heldFor: null }
  try {
    for (const [place, upload] of uploads.entries()) {
      const id = createImageId()
      const image = await storeUpload(ctx, upload, displaySizes(kind), id, async (hashes) => {
        const heldFor = await admitPostImage(ctx, hashes)
        stored.heldFor ??= heldFor
      })
      stored.images.push(toFurtherImage(image, place))
    }
  } catch (error) {
    await retryLater(ctx.log, () => ctx.files.remove(stored.images.flatMap(imageFiles)))
    throw error
  }
  return stored
}

/** @param place of the image in its post, from 0 */
export const toFurtherImage = (image: StoredImage, place: number): FurtherImage => ({
  ...image,
  id: imageIdOf(image.name),
  ...(place > 0 && { place }),
})

/** Returns the values of a post's columns. */
export function toImageColumns([first, ...others]: FurtherImage[]) {
  return { imageId: first?.id ?? null, image: first ?? null, moreImages: others.length > 0 ? others : null }
}

/** Returns a condition for posts with one of these images. */
export const hasImage = ({ imageId, moreImages }: typeof post | typeof livePost, ids: string[]): SQL =>
  sql`(${imageId} = any(${textArray(ids)}) or ${hasFurtherImage(moreImages, ids)})`

const hasFurtherImage = (moreImages: SQLWrapper, ids: string[]): SQL =>
  sql`(${moreImages} is not null and ${furtherImageIds(moreImages)} ?| ${textArray(ids)})`

/** One parameter, because a statement can have at most 65,535. */
const textArray = (texts: string[]): SQL =>
  sql`(select array_agg(value) from json_array_elements_text(${JSON.stringify(texts)}::json))::text[]`

/** Returns those of the image ids that a post has after its first image. */
export async function findFurtherImages(db: Database, ids: string[]): Promise<string[]> {
  const { moreImages } = post
  const rows = await db.select({ moreImages }).from(post).where(hasFurtherImage(moreImages, ids))
  return rows.flatMap((row) => row.moreImages?.map(({ id }) => id) ?? [])
}
