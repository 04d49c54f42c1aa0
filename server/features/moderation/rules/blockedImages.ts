import { desc, eq, lt } from 'drizzle-orm'
import { blockedImage } from '#db/schema/index.ts'
import { errors } from '#server/core/errors.ts'
import { writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { adminProcedure, rateLimited, router } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { blockImage, publishBlockedImages } from '#server/features/moderation/admission/matchImages.ts'
import {
  blockedImageForm,
  blockedImageLimits,
  blockedImagePageSchema,
  blockedImageParams,
  blockedImagesInput,
} from '#src/contract/filters.ts'
import { refusal } from '#src/contract/refusal.ts'

/** The upload is not shown, so the smallest thumbnails will do. In CSS px. */
const SIZES = { preview: { width: 320, height: 320 }, display: { width: 320, height: 320 } }

const IMAGES = '/api/moderation/blocked-images'

export const blockedImageRouter = router({
  list: documented(
    adminProcedure.input(blockedImagesInput).query(async ({ ctx, input: { before } }) => {
      const rows = await ctx.db
        .select()
        .from(blockedImage)
        .where(before === undefined ? undefined : lt(blockedImage.id, before))
        .orderBy(desc(blockedImage.id))
        .limit(blockedImageLimits.page + 1)
      const images = rows.slice(0, blockedImageLimits.page).map((row) => ({
        ...{ id: row.id, reason: row.reason, createdAt: row.createdAt },
        ...{ matches: row.matches, lastMatchAt: row.lastMatchAt },
        hash: Buffer.from(row.originalHash).toString('hex'),
        blocksCopies: row.variants !== null,
        isTakenDown: row.logId !== null,
      }))
      return { images, nextBefore: rows.length > blockedImageLimits.page ? (images.at(-1)?.id ?? null) : null }
    }),
    { method: 'GET', path: IMAGES, summary: 'Lists 50 blocked images, newest first', answer: blockedImagePageSchema },
  ),
  add: documented(
    adminProcedure
      .input(blockedImageForm)
      .use(rateLimited('upload'))
      .mutation(async ({ ctx, input: { image, reason } }) => {
        const { original, hashes } = await ctx.images.process(image.bytes, SIZES)
        const variants = await ctx.images.hash(original)
        const blocked = { uploadHash: hashes.upload, originalHash: hashes.original, variants }
        await writeAndPublish(ctx, (tx) => blockImage(tx, ctx.now(), blocked, { reason }))
      }),
    { method: 'POST', path: IMAGES, summary: 'Blocks an image, and stores only its hashes', answer: null },
  ),
  remove: documented(
    adminProcedure.input(blockedImageParams).mutation(({ ctx, input: { id } }) =>
      writeAndPublish(ctx, async (tx) => {
        const removed = await tx.delete(blockedImage).where(eq(blockedImage.id, id)).returning({ id: blockedImage.id })
        if (removed.length === 0) throw errors.notFound(refusal('moderation.blockedImageNotFound'))
        await publishBlockedImages(tx, ctx.now())
      }),
    ),
    { method: 'DELETE', path: `${IMAGES}/:id`, summary: 'Unblocks an image', answer: null },
  ),
})
