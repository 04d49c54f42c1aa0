import type { SessionUser } from '#server/core/auth/sessions.ts'
import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { refusal } from '#src/contract/refusal.ts'
import type { ReportAction, ReportOutcome } from '#src/contract/reports.ts'
import { deleteItem } from './deleteItem.ts'
import { findItem, findReportedItem, findWithheldItem } from './items.ts'
import { parseItemUrl } from './itemUrl.ts'
import { requireModeration } from './permissions.ts'
import { closeReports, findOpenReport } from './reports.ts'
import { takeDown } from './takedown.ts'

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
    ctx.db.transaction((tx) => closeReports(tx, { now: ctx.now(), user, outcome }, report.kind, [report.itemId]))
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
  const reference = parseItemUrl(url, ctx.config.siteUrl)
  const item = (await findWithheldItem(ctx, reference)) ?? (await findItem(ctx, reference))
  await requireModeration(ctx, user, item.boardId)
  await takeDown(ctx, item, user, reason)
}
