import type { StoredImage } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { consumeRateLimit } from '#server/core/limits/rateLimits.ts'
import type { ImageSizes } from '#server/core/media/encodeImage.ts'
import { imageUnits } from '#server/core/media/imageUnits.ts'
import { createImageId, storeUpload } from '#server/core/storage/imageFiles.ts'
import { imageStorageUse, storageBuckets } from '#server/core/storage/storageQuota.ts'
import { rejectBanned } from '#server/features/moderation/admission/liveBans.ts'
import { admitSharedImage } from '#server/features/moderation/rules/blockedImages.ts'
import type { UploadedFile } from '#src/contract/image.ts'

/** Sizes in CSS pixels: in the list of the week, and on the panel of the current show. */
const SIZES: ImageSizes = { preview: { width: 160, height: 160 }, display: { width: 480, height: 480 } }

/** Stores an image before its show is written. @throws AppError 403, 413, 415, 429 or 503 */
export async function storeShowImage(
  ctx: Context,
  upload: UploadedFile,
): Promise<{ imageId: string; image: StoredImage }> {
  ctx.charge(imageUnits([upload]))
  await rejectBanned(ctx, null)
  await consumeRateLimit(ctx, 'upload', await storageBuckets(ctx, imageStorageUse([upload])))
  const imageId = createImageId()
  const image = await storeUpload(ctx, upload, SIZES, imageId, (hashes) => admitSharedImage(ctx, hashes))
  return { imageId, image }
}
