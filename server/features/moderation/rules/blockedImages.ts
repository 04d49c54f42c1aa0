import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { desc, eq, gt, lt, sql } from 'drizzle-orm'
import type { Database, Transaction } from '#db/client.server.ts'
import { blockedImage, type StoredImage } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import type { ImageHashes } from '#server/core/media/encodeImage.ts'
import { createPerceptualIndex, type PerceptualIndex } from '#server/core/media/perceptualIndex.ts'
import { adminProcedure, rateLimited, router } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { imageIdOf, isOriginal } from '#server/core/storage/imageFiles.ts'
import { publishModeration } from '#server/features/moderation/queue/queueEvents.ts'
import { isTakenDown } from '#server/features/moderation/reports/tombstones.ts'
import {
  blockedImageForm,
  blockedImageLimits,
  blockedImagePageSchema,
  blockedImageParams,
  blockedImagesInput,
} from '#src/contract/filters.ts'
import type { HoldCode } from '#src/contract/queue.ts'
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
    { path: IMAGES, summary: 'Lists 50 blocked images, newest first', answer: blockedImagePageSchema },
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
    { path: IMAGES, summary: 'Blocks an image, and stores only its hashes', keepsOtherFiles: true },
  ),
  remove: documented(
    adminProcedure.input(blockedImageParams).mutation(({ ctx, input: { id } }) =>
      writeAndPublish(ctx, async (tx) => {
        const removed = await tx.delete(blockedImage).where(eq(blockedImage.id, id)).returning({ id: blockedImage.id })
        if (removed.length === 0) throw errors.notFound(refusal('moderation.blockedImageNotFound'))
        await publishModeration(tx, ctx.now(), 'blocked-images')
      }),
    ),
    { method: 'DELETE', path: `${IMAGES}/:id`, summary: 'Unblocks an image' },
  ),
})

/** `exact` has the ids of blocked images by the hashes of their files, as `hashKey` returns them. */
type LiveBlockedImages = { exact: Map<string, number>; perceptual: PerceptualIndex }

/** Limits memory: a row has the hashes of eleven crops. */
const BATCH = 5000

const hashKey = (hash: Uint8Array) => Buffer.from(hash).toString('base64')

export async function loadBlockedImages(db: Database): Promise<LiveBlockedImages> {
  const images: LiveBlockedImages = { exact: new Map(), perceptual: createPerceptualIndex() }
  const { id, uploadHash, originalHash, variants } = blockedImage
  for (let lastId: number | undefined = 0; lastId !== undefined; ) {
    const read = db.select({ id, uploadHash, originalHash, variants }).from(blockedImage)
    const rows: Awaited<typeof read> = await read.where(gt(id, lastId)).orderBy(id).limit(BATCH)
    for (const row of rows) {
      images.exact.set(hashKey(row.originalHash), row.id)
      if (row.uploadHash) images.exact.set(hashKey(row.uploadHash), row.id)
      if (row.variants) images.perceptual.add(row.id, row.variants)
    }
    lastId = rows.at(-1)?.id
  }
  return images
}

/** `exact`: the same file. `perceptual`: an image that looks the same. */
type BlockedImageMatch = 'exact' | 'perceptual'

/** The hashes that are stored for a blocked image. */
type BlockedHashes = Pick<typeof blockedImage.$inferInsert, 'uploadHash' | 'originalHash' | 'variants'>

type Matcher = Pick<Services, 'db' | 'moderation' | 'now'>

/** Compares an upload with the blocked images, and counts a match. */
export async function matchBlockedImage(
  { db, moderation, now }: Matcher,
  { upload, original, perceptual }: ImageHashes,
): Promise<BlockedImageMatch | null> {
  const blocked = await moderation.blockedImages()
  const exact = blocked.exact.get(hashKey(upload)) ?? blocked.exact.get(hashKey(original)) ?? null
  const id = exact ?? blocked.perceptual.find(perceptual)
  if (id === null) return null
  const counted = { matches: sql`${blockedImage.matches} + 1`, lastMatchAt: now() }
  await db.update(blockedImage).set(counted).where(eq(blockedImage.id, id))
  return exact === null ? 'perceptual' : 'exact'
}

/** @returns why the post with this image is held, or null @throws AppError 403 for a blocked file */
export async function admitPostImage(ctx: Matcher, hashes: ImageHashes): Promise<HoldCode | null> {
  const match = await matchBlockedImage(ctx, hashes)
  if (match === 'exact') throw errors.forbidden(refusal('image.blocked'))
  return match && 'image'
}

/** Refuses similar images too: the URL of a shared image is secret, so moderators cannot review it. @throws AppError 403 */
export async function admitSharedImage(ctx: Matcher, hashes: ImageHashes): Promise<void> {
  if (await matchBlockedImage(ctx, hashes)) throw errors.forbidden(refusal('image.blocked'))
}

/**
 * Hashes the original of a stored image, before a transaction that blocks it. If the file cannot be decoded now, only
 * the same file is recognized.
 * @returns null if the file is missing
 */
export async function hashForBlocking(
  { files, images, log }: Pick<Services, 'files' | 'images' | 'log'>,
  { name }: Pick<StoredImage, 'name'>,
): Promise<BlockedHashes | null> {
  const file = await files.read(name)
  if (!file) return null
  const bytes = await buffer(file.content)
  const variants = await images.hash(bytes).catch((error) => {
    log.warn({ err: error, image: name }, 'a blocked image has no perceptual hash: decoding it failed')
    return null
  })
  return { originalHash: createHash('sha256').update(bytes).digest(), variants }
}

/**
 * Blocks the images of takedowns that a crash interrupted: their posts are erased, but their files are left.
 * @param names orphaned files
 */
export async function blockLeftImages(
  services: Pick<Services, 'db' | 'files' | 'images' | 'log' | 'now' | 'secrets'>,
  names: string[],
): Promise<void> {
  for (const name of names.filter(isOriginal)) {
    const hashes = (await isTakenDown(services, 'file', imageIdOf(name))) && (await hashForBlocking(services, { name }))
    if (hashes) await services.db.transaction((tx) => blockImage(tx, services.now(), hashes, { reason: '' }))
  }
}

/** Blocks an image. Does nothing if it is already blocked. */
export async function blockImage(
  tx: Transaction,
  now: Date,
  hashes: BlockedHashes,
  { reason, logId = null }: { reason: string; logId?: number | null },
): Promise<void> {
  const row = { ...hashes, reason, logId, createdAt: now }
  await tx.insert(blockedImage).values(row).onConflictDoNothing({ target: blockedImage.originalHash })
  await publishModeration(tx, now, 'blocked-images')
}
