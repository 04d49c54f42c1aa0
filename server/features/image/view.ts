import type { imageShare, StoredImage } from '#db/schema/index.ts'
import { fileView } from '#server/core/storage/imageFiles.ts'
import { type ImageShareView, isTall } from '#src/contract/image.ts'

/** Smaller files are shown unchanged, because re-encoding blurs text in screenshots. Larger files would load slowly. */
const MAX_FULL_FILE_BYTES = 1024 * 1024

export function imageShareView(row: typeof imageShare.$inferSelect): ImageShareView {
  const { name, bytes, animated, preview } = row.image
  return {
    id: row.id,
    filename: name,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
    views: row.views,
    image: { ...fileView(row.image), bytes, animated },
    display: fileView(chooseDisplayFile(row.image)),
    preview: fileView(preview),
  }
}

function chooseDisplayFile(image: StoredImage) {
  const { width, height, bytes, animated, display } = image
  if (isTall(image)) return image
  const isReduced = display.width < width || display.height < height
  return animated || (!isReduced && bytes <= MAX_FULL_FILE_BYTES) ? image : display
}
