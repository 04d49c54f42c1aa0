import { eq } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { imageShare, paste, program, type StoredImage } from '#db/schema/index.ts'
import type { SessionUser } from '#server/core/auth/sessions.ts'
import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { publish, writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { eraseWriteAheadLog } from '#server/core/jobs/vacuum.ts'
import { withheldName } from '#server/core/storage/fileStore.ts'
import { imageFiles, imageIdOf } from '#server/core/storage/imageFiles.ts'
import { retryLater } from '#server/core/storage/retryLater.ts'
import { changeState } from '#server/features/board/states/changeState.ts'
import { blockImage, hashForBlocking } from '#server/features/moderation/admission/matchImages.ts'
import { type LogRecord, moderatorActor, writeLog } from '#server/features/moderation/log/log.ts'
import { publishProgramsChange } from '#server/features/program/service.ts'
import { refusal } from '#src/contract/refusal.ts'
import { describeItem, type Item } from './items.ts'
import { closeReports } from './reports.ts'
import { storeTombstones } from './tombstones.ts'

/** `itemIds`: a comment is removed with its replies, and an opening post with its thread */
type Erasure = { itemIds: string[]; images: StoredImage[]; logId: number | null }

/**
 * Erases an item for good: its row, removed posts that could be restored, and its files. All its URLs answer 410, and
 * its images are blocked.
 * @throws AppError 404 if the item does not exist, for example because another moderator was faster
 */
export async function takeDown(ctx: Context, item: Item, user: SessionUser, reason = ''): Promise<void> {
  const now = ctx.now()
  const record: LogRecord = { action: 'takedown', actor: moderatorActor(user), reason, ...describeItem(item) }
  const { images, logId } = await writeAndPublish(ctx, async (tx) => {
    const erased = await erase(ctx, tx, item, record)
    if (erased.itemIds.length === 0) throw errors.notFound(refusal('moderation.reportNotFound'))
    if (item.kind === 'paste' || item.kind === 'image') await storeTombstones(ctx, tx, now, item.kind, erased.itemIds)
    await storeTombstones(
      ctx,
      tx,
      now,
      'file',
      erased.images.map(({ name }) => imageIdOf(name)),
    )
    await closeReports(tx, { now, userId: user.id, outcome: 'taken-down' }, item.kind, erased.itemIds)
    return erased
  })
  const names = images.flatMap(imageFiles)
  // The rows are gone, so the moderator cannot try again.
  await retryLater(ctx.log, async () => {
    // The files are not served any more while they are hashed, which can take seconds.
    await ctx.files.withhold(names)
    for (const image of images) await block(ctx, image, { reason, logId })
    await ctx.files.remove([...names, ...names.map(withheldName)])
    await eraseWriteAheadLog(ctx)
  })
}

async function erase(ctx: Context, tx: Transaction, item: Item, record: LogRecord): Promise<Erasure> {
  if (item.kind === 'post') {
    const { ids, images, logId } = await changeState(ctx, tx, [Number(item.itemId)], 'erased', { record })
    return { itemIds: ids.map(String), images, logId }
  }
  const erased = await eraseRow(ctx, tx, item)
  return { ...erased, logId: erased.itemIds.length > 0 ? await writeLog(tx, ctx.now(), record) : null }
}

/** Deletes a paste, shared image or program. Overwrites the row before, so that its latest version in the database has no content. */
export async function eraseRow(ctx: Context, tx: Transaction, { kind, itemId }: Item): Promise<Omit<Erasure, 'logId'>> {
  if (kind === 'paste') {
    const isPaste = eq(paste.lookup, Buffer.from(itemId, 'hex'))
    const [row] = await tx.select({ sealed: paste.sealed }).from(paste).where(isPaste).for('update')
    // The same length: a trigger subtracts it from the stored bytes.
    if (row)
      await tx
        .update(paste)
        .set({ sealed: new Uint8Array(row.sealed.length) })
        .where(isPaste)
    const removed = await tx.delete(paste).where(isPaste).returning({ lookup: paste.lookup })
    return { itemIds: removed.map(() => itemId), images: [] }
  }
  if (kind === 'image') {
    const removed = await tx.delete(imageShare).where(eq(imageShare.id, itemId)).returning()
    return { itemIds: removed.map(({ id }) => id), images: removed.map(({ image }) => image) }
  }
  const isProgram = eq(program.id, Number(itemId))
  await tx.update(program).set({ name: '', link: '', description: '', addedBy: '', category: '' }).where(isProgram)
  const removed = await tx.delete(program).where(isProgram).returning({ id: program.id })
  if (removed.length > 0) {
    await publishProgramsChange(tx, ctx.now())
    await publish(tx, ctx.now(), [{ topic: 'programs', change: { kind: 'erased' } }])
  }
  return { itemIds: removed.map(({ id }) => String(id)), images: [] }
}

/** @param image its files are withheld */
async function block(ctx: Context, { name }: StoredImage, entry: { reason: string; logId: number | null }) {
  const hashes = await hashForBlocking(ctx, { name: withheldName(name) })
  if (hashes) await writeAndPublish(ctx, (tx) => blockImage(tx, ctx.now(), hashes, entry))
}
