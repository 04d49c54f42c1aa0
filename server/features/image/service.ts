import { createHash } from 'node:crypto'
import { and, eq, gt, inArray, lte, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { imageShare } from '#db/schema/index.ts'
import type { Context, Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import type { ImageSizes } from '#server/core/media/encodeImage.ts'
import { imageUnits } from '#server/core/media/imageUnits.ts'
import { createCapabilities, hashToken, isCapability, verifyToken } from '#server/core/security/capability.ts'
import { createImageId, fileUrl, imageFiles, storeUpload } from '#server/core/storage/imageFiles.ts'
import { retryLater } from '#server/core/storage/retryLater.ts'
import { admitImage } from '#server/features/moderation/admission/admission.ts'
import { currentOrigin, insertOrigin } from '#server/features/moderation/origins/origins.ts'
import { missingItem, rejectTakenDown } from '#server/features/moderation/reports/tombstones.ts'
import { admitSharedImage } from '#server/features/moderation/rules/blockedImages.ts'
import {
  type CreatedImageShare,
  type deleteImageShareForm,
  type ImageShareView,
  type imageShareForm,
  SHARE_BOX,
} from '#src/contract/image.ts'
import { refusal } from '#src/contract/refusal.ts'
import { imageShareView } from './view.ts'

const HOUR_MS = 60 * 60 * 1000
const BATCH = 200
/** Sizes in CSS pixels; files are twice as wide and high. Link previews must be JPEG, up to 1200 × 630 pixels. */
const DISPLAY_SIZES: ImageSizes = { preview: { width: 600, height: 315, type: 'jpeg' }, display: SHARE_BOX }

/**
 * Stores a shared image. If the same form was sent before with the same idempotency key, returns the answer of that one.
 * @throws AppError 403, 413, 415, 429 or 503, or 410 if that one was taken down
 */
export async function createImageShare(
  ctx: Context,
  form: z.output<typeof imageShareForm>,
): Promise<CreatedImageShare> {
  const { image: upload, expiryHours, idempotencyKey } = form
  const sent = ['image', createHash('sha256').update(upload.bytes).digest('base64'), expiryHours]
  const { id, token } = createCapabilities(ctx.secrets.idempotency, idempotencyKey, sent)
  if (idempotencyKey !== undefined) {
    const earlier = await findShare(ctx, id)
    if (earlier) return shareAnswer(ctx, earlier, token)
    await rejectTakenDown(ctx, 'image', id)
  }
  ctx.charge(imageUnits([upload]))
  await admitImage(ctx)
  const createdAt = ctx.now()
  const expiresAt = new Date(createdAt.getTime() + expiryHours * HOUR_MS)
  const imageId = createImageId(expiresAt)
  const image = await storeUpload(ctx, upload, DISPLAY_SIZES, imageId, (hashes) => admitSharedImage(ctx, hashes))
  const deleteHash = Buffer.from(hashToken(token, 'utf8')).toString('base64url')
  const share = { id, imageId, image, createdAt, expiresAt, deleteHash }
  const stored = await storeShare(ctx, share)
  return shareAnswer(ctx, stored, token)
}

type NewShare = Omit<typeof imageShare.$inferSelect, 'views'>

function shareAnswer({ config }: Context, { id, image, expiresAt }: NewShare, token: string): CreatedImageShare {
  const url = `${config.siteUrl}/image-share/${id}`
  return {
    url,
    imageUrl: `${config.siteUrl}${fileUrl(image.name)}`,
    deleteUrl: `${url}/delete?token=${token}`,
    filename: image.name,
    expiresAt,
  }
}

async function findShare(ctx: Context, id: string): Promise<typeof imageShare.$inferSelect | undefined> {
  const [row] = await ctx.db.select().from(imageShare).where(isUnexpired(ctx, id))
  return row
}

/**
 * Inserts a shared image. If its id exists, removes the new files. If the statement fails, the image may be stored and
 * need its files; otherwise the cleanup job deletes them when they expire.
 * @returns the stored image
 * @throws AppError 503 if it expired or was deleted a moment ago: sending the form again stores it
 */
async function storeShare(ctx: Context, share: NewShare): Promise<NewShare> {
  const insertion = ctx.db.insert(imageShare).values(share).onConflictDoNothing().returning({ id: imageShare.id })
  const inserted = await ctx.db.execute(sql`with stored as ${insertion},
    originated as (${insertOrigin(await currentOrigin(ctx), 'image', sql`select id from stored`)})
    select 1 from stored`)
  if (inserted.length > 0) return share
  const first = await findShare(ctx, share.id)
  await retryLater(ctx.log, () => ctx.files.remove(imageFiles(share.image)))
  if (!first) throw errors.unavailable(refusal('failure.unavailable'))
  return first
}

/**
 * Rejects invalid ids before the query, because queries with some characters, such as NUL, fail.
 * @throws AppError 404
 */
function isUnexpired(ctx: Context, id: string) {
  if (!isCapability(id)) throw errors.notFound(refusal('image.notFound'))
  return and(eq(imageShare.id, id), gt(imageShare.expiresAt, ctx.now()))
}

export async function readImageShare(ctx: Context, id: string): Promise<ImageShareView> {
  const [row] = ctx.isHumanView
    ? await ctx.db
        .update(imageShare)
        .set({ views: sql`${imageShare.views} + 1` })
        .where(isUnexpired(ctx, id))
        .returning()
    : [await findShare(ctx, id)]
  if (!row) throw await missingItem(ctx, 'image', id, refusal('image.notFound'))
  return imageShareView(row)
}

/** @throws AppError 404, including for a wrong token, or 410 for an image that was taken down */
export async function deleteImageShare(ctx: Context, form: z.output<typeof deleteImageShareForm>): Promise<void> {
  const row = await findDeletableImageShare(ctx, form)
  const removed = await ctx.db.delete(imageShare).where(eq(imageShare.id, row.id)).returning()
  if (removed.length === 0) throw errors.notFound(refusal('image.notFound'))
  // The row is gone, so the visitor cannot try again.
  await retryLater(ctx.log, () => ctx.files.remove(imageFiles(row.image)))
}

/** @throws AppError 404, including for a wrong token */
export async function findDeletableImageShare(ctx: Context, { id, token }: z.output<typeof deleteImageShareForm>) {
  const row = await findShare(ctx, id)
  if (!row) throw await missingItem(ctx, 'image', id, refusal('image.notFound'))
  if (!verifyToken(token, Buffer.from(row.deleteHash, 'base64url'), 'utf8')) {
    throw errors.notFound(refusal('image.wrongDeleteLink'))
  }
  return row
}

/** Deletes rows first. After a crash, the cleanup job deletes the files that have no row. */
export async function deleteExpiredImageShares({ db, files, now }: Pick<Services, 'db' | 'files' | 'now'>) {
  for (;;) {
    const isExpired = lte(imageShare.expiresAt, now())
    const expired = db.select({ id: imageShare.id }).from(imageShare).where(isExpired).limit(BATCH)
    const removed = await db.delete(imageShare).where(inArray(imageShare.id, expired)).returning()
    await files.remove(removed.flatMap(({ image }) => imageFiles(image)))
    if (removed.length < BATCH) return
  }
}
