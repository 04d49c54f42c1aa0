import { desc, eq, lt } from 'drizzle-orm'
import type { z } from 'zod'
import { blockedImage } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { adminProcedure, rateLimited, router } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { blockImage, publishBlockedImages } from '#server/features/moderation/admission/matchImages.ts'
import {
  type BlockedImageView,
  blockedImageForm,
  blockedImageLimits,
  blockedImagePageSchema,
  blockedImageParams,
  blockedImagesInput,
} from '#src/contract/blockedImages.ts'
import { refusal } from '#src/contract/refusal.ts'

/** The upload is not shown, so the smallest thumbnails will do. In CSS px. */
const SIZES = { preview: { width: 320, height: 320 }, display: { width: 320, height: 320 } }

/** Lists blocked images, the newest first. */
async function listBlockedImages(
  { db }: Pick<Context, 'db'>,
  before: number | undefined,
): Promise<{ images: BlockedImageView[]; nextBefore: number | null }> {
  const rows = await db
    .select()
    .from(blockedImage)
    .where(before === undefined ? undefined : lt(blockedImage.id, before))
    .orderBy(desc(blockedImage.id))
    .limit(blockedImageLimits.page + 1)
  const images = rows.slice(0, blockedImageLimits.page).map((row) => ({
    id: row.id,
    reason: row.reason,
    createdAt: row.createdAt,
    hash: Buffer.from(row.originalHash).toString('hex'),
    blocksCopies: row.variants !== null,
    matches: row.matches,
    lastMatchAt: row.lastMatchAt,
    isTakenDown: row.logId !== null,
  }))
  return { images, nextBefore: rows.length > blockedImageLimits.page ? (images.at(-1)?.id ?? null) : null }
}

/** Blocks an uploaded image, and keeps only its hashes. @throws AppError 413, 415 or 503 */
async function addBlockedImage(ctx: Context, { image, reason }: z.output<typeof blockedImageForm>): Promise<void> {
  const { original, hashes } = await ctx.images.process(image.bytes, SIZES)
  const variants = await ctx.images.hash(original)
  const blocked = { uploadHash: hashes.upload, originalHash: hashes.original, variants }
  await writeAndPublish(ctx, (tx) => blockImage(tx, ctx.now(), blocked, { reason }))
}

/** @throws AppError 404 */
async function removeBlockedImage(ctx: Context, id: number): Promise<void> {
  await writeAndPublish(ctx, async (tx) => {
    const removed = await tx.delete(blockedImage).where(eq(blockedImage.id, id)).returning({ id: blockedImage.id })
    if (removed.length === 0) throw errors.notFound(refusal('moderation.blockedImageNotFound'))
    await publishBlockedImages(tx, ctx.now())
  })
}

const IMAGES = '/api/moderation/blocked-images'

export const blockedImageRouter = router({
  list: documented(
    adminProcedure.input(blockedImagesInput).query(({ ctx, input }) => listBlockedImages(ctx, input.before)),
    { method: 'GET', path: IMAGES, summary: 'Lists 50 blocked images, newest first', answer: blockedImagePageSchema },
  ),
  add: documented(
    adminProcedure
      .input(blockedImageForm)
      .use(rateLimited('upload'))
      .mutation(({ ctx, input }) => addBlockedImage(ctx, input)),
    { method: 'POST', path: IMAGES, summary: 'Blocks an image, and stores only its hashes', answer: null },
  ),
  remove: documented(
    adminProcedure.input(blockedImageParams).mutation(({ ctx, input }) => removeBlockedImage(ctx, input.id)),
    { method: 'DELETE', path: `${IMAGES}/:id`, summary: 'Unblocks an image', answer: null },
  ),
})
