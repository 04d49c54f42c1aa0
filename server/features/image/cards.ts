import { and, gt, inArray } from 'drizzle-orm'
import { imageShare } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { isCapability } from '#server/core/security/capability.ts'
import { fileView } from '#server/core/storage/imageFiles.ts'
import type { LinkCard } from '#src/contract/linkCard.ts'

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
