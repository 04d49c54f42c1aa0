import { listModeratedBoards } from '#server/core/auth/moderators.ts'
import type { SessionUser } from '#server/core/auth/sessions.ts'
import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { imageFiles } from '#server/core/storage/imageFiles.ts'
import { retryLater } from '#server/core/storage/retryLater.ts'
import { changeState } from '#server/features/board/states/changeState.ts'
import { type LogRecord, moderatorActor, writeLog } from '#server/features/moderation/log/log.ts'
import { refusal } from '#src/contract/refusal.ts'
import type { ReportAction, ReportOutcome } from '#src/contract/reports.ts'
import { describeItem, findItem, findReportedItem, type Item } from './items.ts'
import { parseItemUrl } from './itemUrl.ts'
import { closeReports, findOpenReport } from './reports.ts'
import { eraseRow, takeDown } from './takedown.ts'

type Resolution = { reportId: number; action: ReportAction; reason?: string | undefined }

/**
 * Acts on the item of a report, and closes all open reports of the item.
 * @throws AppError 403, 404, or 409 if another moderator closed the report
 */
export async function resolveReport(
  ctx: Context,
  { reportId, action, reason }: Resolution,
  user: SessionUser,
): Promise<void> {
  const report = await findOpenReport(ctx, reportId)
  await requireModeration(ctx, user, report.boardId)
  const close = (outcome: ReportOutcome) =>
    ctx.db.transaction((tx) =>
      closeReports(tx, { now: ctx.now(), userId: user.id, outcome }, report.kind, [report.itemId]),
    )
  if (action === 'dismiss') {
    if ((await close('dismissed')) === 0) throw errors.conflict(refusal('moderation.reportClosed'))
    return
  }
  const item = await findReportedItem(ctx, report.kind, report.itemId)
  if (!item) throw errors.notFound(refusal('moderation.reportNotFound'))
  if (action === 'take-down') return takeDown(ctx, item, user, reason)
  await deleteItem(ctx, item, user, reason)
  await close('deleted')
}

/** Takes down the item at a URL of this site, also a post that is held or was removed. @throws AppError 400, 403 or 404 */
export async function takeDownUrl(
  ctx: Context,
  { url, reason }: { url: string; reason?: string | undefined },
  user: SessionUser,
): Promise<void> {
  const item = await findItem(ctx, parseItemUrl(url, ctx.config.siteUrl), true)
  await requireModeration(ctx, user, item.boardId)
  await takeDown(ctx, item, user, reason)
}

/** @param boardId null for items that belong to no board, which only admins moderate @throws AppError 403 */
async function requireModeration(ctx: Context, user: SessionUser, boardId: string | null): Promise<void> {
  if (user.role === 'admin') return
  if (boardId === null || !(await listModeratedBoards(ctx, user.id)).includes(boardId))
    throw errors.forbidden(refusal('moderation.reportNotAllowed'))
}

/** Deletes an item; a post can be restored from the log. Ignores items that are gone already. */
async function deleteItem(ctx: Context, item: Item, user: SessionUser, reason = ''): Promise<void> {
  const record: LogRecord = { action: 'delete', actor: moderatorActor(user), reason, ...describeItem(item) }
  const files = await writeAndPublish(ctx, async (tx) => {
    if (item.kind === 'post') {
      await changeState(ctx, tx, [Number(item.itemId)], 'removed', { record })
      return []
    }
    const { itemIds, images } = await eraseRow(ctx, tx, item)
    // Several moderators may act at once: only one of them deletes the row.
    if (itemIds.length > 0) await writeLog(tx, ctx.now(), record)
    return images.flatMap(imageFiles)
  })
  // The row is gone, so the moderator cannot try again.
  await retryLater(ctx.log, () => ctx.files.remove(files))
}
