import { eq } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { imageShare, paste, program, type StoredImage } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { publish, writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { eraseWriteAheadLog } from '#server/core/jobs/vacuum.ts'
import type { MemberContext } from '#server/core/rpc/procedures.ts'
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
type Removal = { itemIds: string[]; images: StoredImage[]; logId: number | null }

/**
 * Deletes an item, closes its reports, and logs it. A deleted post can be restored from the log. A takedown erases posts
 * for good too: all URLs of the item answer 410, and its images are blocked.
 * @throws AppError 404 for a takedown of an item that does not exist, for example because another moderator was faster
 */
export async function removeItem(
  ctx: MemberContext,
  item: Item,
  action: 'delete' | 'takedown',
  reason = '',
): Promise<void> {
  const now = ctx.now()
  const isTakedown = action === 'takedown'
  const record: LogRecord = { action, actor: moderatorActor(ctx.user), reason, ...describeItem(item) }
  const { images, logId } = await writeAndPublish(ctx, async (tx) => {
    const removed = await remove(ctx, tx, item, record, isTakedown ? 'erased' : 'removed')
    if (isTakedown) await rememberTakedown(ctx, tx, item, removed)
    const closed = { now, userId: ctx.user.id, outcome: isTakedown ? 'taken-down' : 'deleted' } as const
    await closeReports(tx, closed, item.kind, isTakedown ? removed.itemIds : [item.itemId])
    return removed
  })
  const names = images.flatMap(imageFiles)
  // The rows are gone, so the moderator cannot try again.
  await retryLater(ctx.log, async () => {
    if (isTakedown) {
      // The files are not served any more while they are hashed, which can take seconds.
      await ctx.files.withhold(names)
      for (const image of images) await block(ctx, image, { reason, logId })
    }
    await ctx.files.remove([...names, ...names.map(withheldName)])
    if (isTakedown) await eraseWriteAheadLog(ctx)
  })
}

async function remove(
  ctx: Context,
  tx: Transaction,
  item: Item,
  record: LogRecord,
  to: 'removed' | 'erased',
): Promise<Removal> {
  if (item.kind === 'post') {
    const { ids, images, logId } = await changeState(ctx, tx, [Number(item.itemId)], to, { record })
    return { itemIds: ids.map(String), images, logId }
  }
  const erased = await eraseRow(ctx, tx, item)
  // Several moderators may act at once: only one of them deletes the row.
  return { ...erased, logId: erased.itemIds.length > 0 ? await writeLog(tx, ctx.now(), record) : null }
}

/** @throws AppError 404 if nothing was removed */
async function rememberTakedown(ctx: Context, tx: Transaction, { kind }: Item, { itemIds, images }: Removal) {
  if (itemIds.length === 0) throw errors.notFound(refusal('moderation.reportNotFound'))
  if (kind === 'paste' || kind === 'image') await storeTombstones(ctx, tx, ctx.now(), kind, itemIds)
  const imageIds = images.map(({ name }) => imageIdOf(name))
  await storeTombstones(ctx, tx, ctx.now(), 'file', imageIds)
}

/** Deletes a paste, shared image or program. Overwriting it first would leave its old row until a vacuum, too. */
async function eraseRow(ctx: Context, tx: Transaction, { kind, itemId }: Item): Promise<Omit<Removal, 'logId'>> {
  if (kind === 'paste') {
    const removed = await tx
      .delete(paste)
      .where(eq(paste.lookup, Buffer.from(itemId, 'hex')))
      .returning({ lookup: paste.lookup })
    return { itemIds: removed.map(() => itemId), images: [] }
  }
  if (kind === 'image') {
    const removed = await tx.delete(imageShare).where(eq(imageShare.id, itemId)).returning()
    return { itemIds: removed.map(({ id }) => id), images: removed.map(({ image }) => image) }
  }
  const removed = await tx
    .delete(program)
    .where(eq(program.id, Number(itemId)))
    .returning({ id: program.id })
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
