import type { StoredImage } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import type { ImageSizes } from '#server/core/media/encodeImage.ts'
import { createImageId, storeUpload } from '#server/core/storage/imageFiles.ts'
import { imageHeights } from '#src/contract/board.ts'
import type { UploadedFile } from '#src/contract/image.ts'

/** Maximum widths of images in CSS px. */
const POST_WIDTH = 680
const LIST_WIDTH = 320

export type PostKind = keyof Omit<typeof imageHeights, 'list'>

const displaySizes = (kind: PostKind): ImageSizes => ({
  preview: { width: LIST_WIDTH, height: imageHeights.list },
  display: { width: POST_WIDTH, height: imageHeights[kind] },
})

export type StoredPostImage = { imageId: string; image: StoredImage }

export async function storePostImage(ctx: Context, upload: UploadedFile, kind: PostKind): Promise<StoredPostImage> {
  const imageId = createImageId()
  return { imageId, image: await storeUpload(ctx, upload, displaySizes(kind), imageId) }
}
