import type { StoredImage } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import type { DisplaySizes } from '#server/core/media/imageProcessor.ts'
import { createImageId, storeUpload } from '#server/core/storage/imageFiles.ts'
import { imageHeights } from '#src/contract/board.ts'
import type { UploadedFile } from '#src/contract/image.ts'

/** Widest a picture stands in a post and in a list, in CSS px. */
const POST_WIDTH = 680
const LIST_WIDTH = 320

export type PostPlace = keyof Omit<typeof imageHeights, 'list'>

/** The boxes of the places a picture of such a post is shown in. */
const placesOf = (place: PostPlace): DisplaySizes => ({
  preview: { width: LIST_WIDTH, height: imageHeights.list },
  display: { width: POST_WIDTH, height: imageHeights[place] },
})

export type KeptImage = { imageId: string; image: StoredImage }

/**
 * Stores the picture of a post.
 * @throws AppError 413, 415 or 503
 */
export async function storeImage(ctx: Context, upload: UploadedFile, place: PostPlace): Promise<KeptImage> {
  const imageId = createImageId()
  return { imageId, image: await storeUpload(ctx, upload, placesOf(place), imageId) }
}
