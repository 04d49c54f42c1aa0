import { eq } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { imageShare, paste, program, report as reportTable, type StoredImage } from '#db/schema/index.ts'
import { isModerator } from '#server/core/auth/moderators.ts'
import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { publish, writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { eraseWriteAheadLog } from '#server/core/jobs/vacuum.ts'
import { type MemberContext, uncheckedModeratorProcedure } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { withheldName } from '#server/core/storage/fileStore.ts'
import { imageFiles, imageIdOf } from '#server/core/storage/imageFiles.ts'
import { retryLater } from '#server/core/storage/retryLater.ts'
import { changeState } from '#server/features/board/states/changeState.ts'
import { type LogRecord, moderatorActor, writeLog } from '#server/features/moderation/log/log.ts'
import {
  describeItem,
  findItem,
  findReportedItem,
  type Item,
  parseItemUrl,
} from '#server/features/moderation/reports/items.ts'
import { closeReports } from '#server/features/moderation/reports/reports.ts'
import { storeTombstones } from '#server/features/moderation/reports/tombstones.ts'
import { blockImage, hashForBlocking } from '#server/features/moderation/rules/blockedImages.ts'
import { publishProgramsChange } from '#server/features/program/service.ts'
import { refusal } from '#src/contract/refusal.ts'
import { REPORT_CALL, resolveForm, takedownForm } from '#src/contract/reports.ts'

/** `itemIds`: a comment is removed with its replies, and an opening post with its thread */
type Removal = { itemIds: string[]; images: StoredImage[]; logId: number | null }

/**
 * Deletes an item, closes its reports, and logs it. A deleted post can be restored from the log. A takedown erases posts
 * for good too: all URLs of the item answer 410, and its images are blocked.
 * @throws AppError 404 for a takedown of an item that does not exist, for example because another moderator was faster
 */
async function removeItem(ctx: MemberContext, item: Item, action: 'delete' | 'takedown', reason = ''): Promise<void> {
  const { files } = ctx
  const { kind } = item
  const now = ctx.now()
  const isTakedown = action === 'takedown'
  const record: LogRecord = { action, actor: moderatorActor(ctx.user), reason, ...describeItem(item) }
  const { images, logId } = await writeAndPublish(ctx, async (tx) => {
    const removed = await remove(ctx, tx, item, record, isTakedown ? 'erased' : 'removed')
    if (isTakedown) {
      if (removed.itemIds.length === 0) throw errors.notFound(refusal('moderation.reportNotFound'))
      if (kind === 'paste' || kind === 'image') await storeTombstones(ctx, tx, now, kind, removed.itemIds)
      const imageIds = removed.images.map(({ name }) => imageIdOf(name))
      await storeTombstones(ctx, tx, now, 'file', imageIds)
    }
    const closed = { now, userId: ctx.user.id, outcome: isTakedown ? 'taken-down' : 'deleted' } as const
    await closeReports(tx, closed, kind, isTakedown ? removed.itemIds : [item.itemId])
    return removed
  })
  const names = images.flatMap(imageFiles)
  // The rows are gone, so the moderator cannot try again.
  await retryLater(ctx.log, async () => {
    if (isTakedown) {
      // The files are not served any more while they are hashed, which can take seconds.
      await files.withhold(names)
      for (const { name } of images) {
        const hashes = await hashForBlocking(ctx, { name: withheldName(name) })
        if (hashes) await writeAndPublish(ctx, (tx) => blockImage(tx, ctx.now(), hashes, { reason, logId }))
      }
    }
    await files.remove([...names, ...names.map(withheldName)])
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
  const images = await eraseRow(tx, ctx.now(), item)
  // Several moderators may act at once: only one of them deletes the row.
  if (!images) return { itemIds: [], images: [], logId: null }
  return { itemIds: [item.itemId], images, logId: await writeLog(tx, ctx.now(), record) }
}

/**
 * Deletes a paste, shared image or program. Overwriting it first would leave its old row until a vacuum, too.
 * @returns its images, or null if there was no row
 */
async function eraseRow(tx: Transaction, now: Date, { kind, itemId }: Item): Promise<StoredImage[] | null> {
  if (kind === 'image') {
    const [removed] = await tx.delete(imageShare).where(eq(imageShare.id, itemId)).returning()
    return removed ? [removed.image] : null
  }
  if (kind === 'paste') {
    const isPaste = eq(paste.lookup, Buffer.from(itemId, 'hex'))
    const removed = await tx.delete(paste).where(isPaste).returning({ lookup: paste.lookup })
    return removed.length > 0 ? [] : null
  }
  const isProgram = eq(program.id, Number(itemId))
  const removed = await tx.delete(program).where(isProgram).returning({ id: program.id })
  if (removed.length === 0) return null
  await publishProgramsChange(tx, now)
  await publish(tx, now, [{ topic: 'programs', change: { kind: 'erased' } }])
  return []
}

/**
 * Acts on the item of a report, and closes all open reports of the item.
 * @throws AppError 403, 404, or 409 if another moderator closed the report
 */
export const resolve = documented(
  uncheckedModeratorProcedure.input(resolveForm).mutation(async ({ ctx, input: { reportId, action, reason } }) => {
    const [report] = await ctx.db.select().from(reportTable).where(eq(reportTable.id, reportId))
    if (!report) throw errors.notFound(refusal('moderation.reportNotFound'))
    if (report.closedAt) throw errors.conflict(refusal('moderation.reportClosed'))
    await requireModeration(ctx, report.boardId)
    if (action === 'dismiss') {
      const closed = { now: ctx.now(), userId: ctx.user.id, outcome: 'dismissed' } as const
      const count = await ctx.db.transaction((tx) => closeReports(tx, closed, report.kind, [report.itemId]))
      if (count === 0) throw errors.conflict(refusal('moderation.reportClosed'))
      return
    }
    const item = await findReportedItem(ctx, report.kind, report.itemId)
    if (!item) throw errors.notFound(refusal('moderation.reportNotFound'))
    await requireModeration(ctx, item.boardId)
    await removeItem(ctx, item, action === 'take-down' ? 'takedown' : 'delete', reason)
  }),
  {
    path: `${REPORT_CALL}/:reportId`,
    summary: 'Closes all reports of an item',
    statuses: { 409: 'The reports are closed' },
  },
)

/** Takes down the item at a URL of this site, also a post that is held or was removed. @throws AppError 400, 403 or 404 */
export const takedown = documented(
  uncheckedModeratorProcedure.input(takedownForm).mutation(async ({ ctx, input: { url, reason } }) => {
    const reference = parseItemUrl(url, ctx.config.siteUrl)
    const item = await findItem(ctx, reference, true)
    await requireModeration(ctx, item.boardId).catch(async (error) => {
      // To others, a held or removed post does not exist.
      await findItem(ctx, reference)
      throw error
    })
    await removeItem(ctx, item, 'takedown', reason)
  }),
  {
    path: '/api/moderation/takedowns',
    summary: 'Takes down the item at a URL',
    statuses: { 404: 'There is nothing at this URL' },
  },
)

/** @param boardId null for items that belong to no board, which only admins moderate @throws AppError 403 */
async function requireModeration(ctx: MemberContext, boardId: string | null): Promise<void> {
  if (!(await isModerator(ctx, ctx.user, boardId))) throw errors.forbidden(refusal('moderation.reportNotAllowed'))
}
