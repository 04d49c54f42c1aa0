import type { imageShare, StoredImage } from '#db/schema/index.ts'
import { fileUrl } from '#server/core/storage/imageFiles.ts'
import type { ImageFile, ImageShareView } from '#src/contract/image.ts'

/** Up to here the full file is shown as it is, for a reduced copy of a screenshot blurs its letters. */
const SHARP_BYTES = 1024 * 1024

/** What leaves the server of a shared image. */
export function imageShareView(row: typeof imageShare.$inferSelect): ImageShareView {
  const { name, bytes, animated, preview } = row.image
  return {
    id: row.id,
    filename: name,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
    views: row.views,
    image: { ...file(row.image), bytes, animated },
    display: file(shown(row.image)),
    preview: file(preview),
  }
}

function shown(image: StoredImage) {
  const { width, height, bytes, animated, display } = image
  const reduced = display.width < width || display.height < height
  return animated || (!reduced && bytes <= SHARP_BYTES) ? image : display
}

const file = ({ name, width, height }: { name: string; width: number; height: number }): ImageFile => ({
  url: fileUrl(name),
  width,
  height,
})
