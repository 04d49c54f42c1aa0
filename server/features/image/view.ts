import { and, gt, inArray } from 'drizzle-orm'
import { imageShare, type StoredImage } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { isCapability } from '#server/core/security/capability.ts'
import { fileView } from '#server/core/storage/imageFiles.ts'
import { type ImageShareView, isTall } from '#src/contract/image.ts'
import type { LinkCard } from '#src/contract/links.ts'

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

/** Reads cards of shared images that exist until `until`, by id. Counts no views. */
export async function readImageCards(
  { db }: Pick<Services, 'db'>,
  ids: string[],
  until: Date,
): Promise<Map<string, LinkCard>> {
  const valid = ids.filter(isCapability)
  if (valid.length === 0) return new Map()
  const rows = await db
    .select({ id: imageShare.id, image: imageShare.image, expiresAt: imageShare.expiresAt })
    .from(imageShare)
    .where(and(inArray(imageShare.id, valid), gt(imageShare.expiresAt, until)))
  return new Map(
    rows.map(({ id, image: { bytes, preview }, expiresAt }) => [
      id,
      { kind: 'image', path: `/image-share/${id}`, bytes, expiresAt, preview: fileView(preview) },
    ]),
  )
}
