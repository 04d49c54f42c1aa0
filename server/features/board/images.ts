import type { StoredImage } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import type { ImageSizes } from '#server/core/media/encodeImage.ts'
import { admitPostImage } from '#server/core/moderation/blockedImages.ts'
import { createImageId, storeUpload } from '#server/core/storage/imageFiles.ts'
import { imageHeights } from '#src/contract/board.ts'
import type { UploadedFile } from '#src/contract/image.ts'

/** Maximum widths of images in CSS px. */
const POST_WIDTH = 680
const LIST_WIDTH = 320

export type PostKind = keyof Omit<typeof imageHeights, 'list'>

export const displaySizes = (kind: PostKind): ImageSizes => ({
  preview: { width: LIST_WIDTH, height: imageHeights.list },
  display: { width: POST_WIDTH, height: imageHeights[kind] },
})

/** `heldFor`: why the post with this image waits for a review */
export type StoredPostImage = { imageId: string; image: StoredImage; heldFor: string | null }

export async function storePostImage(ctx: Context, upload: UploadedFile, kind: PostKind): Promise<StoredPostImage> {
  const imageId = createImageId()
  let heldFor: string | null = null
  const image = await storeUpload(ctx, upload, displaySizes(kind), imageId, async (hashes) => {
    heldFor = await admitPostImage(ctx, hashes)
  })
  return { imageId, image, heldFor }
}
