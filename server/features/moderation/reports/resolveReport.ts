import { listModeratedBoards } from '#server/core/auth/moderators.ts'
import type { SessionUser } from '#server/core/auth/sessions.ts'
import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { refusal } from '#src/contract/refusal.ts'
import type { ReportAction } from '#src/contract/reports.ts'
import { findItem, findReportedItem } from './items.ts'
import { parseItemUrl } from './itemUrl.ts'
import { removeItem } from './removeItem.ts'
import { closeReports, findOpenReport } from './reports.ts'

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
  if (action === 'dismiss') {
    const closed = { now: ctx.now(), userId: user.id, outcome: 'dismissed' } as const
    const count = await ctx.db.transaction((tx) => closeReports(tx, closed, report.kind, [report.itemId]))
    if (count === 0) throw errors.conflict(refusal('moderation.reportClosed'))
    return
  }
  const item = await findReportedItem(ctx, report.kind, report.itemId)
  if (!item) throw errors.notFound(refusal('moderation.reportNotFound'))
  await removeItem(ctx, item, user, action === 'take-down' ? 'takedown' : 'delete', reason)
}

/** Takes down the item at a URL of this site, also a post that is held or was removed. @throws AppError 400, 403 or 404 */
export async function takeDownUrl(
  ctx: Context,
  { url, reason }: { url: string; reason?: string | undefined },
  user: SessionUser,
): Promise<void> {
  const item = await findItem(ctx, parseItemUrl(url, ctx.config.siteUrl), true)
  await requireModeration(ctx, user, item.boardId)
  await removeItem(ctx, item, user, 'takedown', reason)
}

/** @param boardId null for items that belong to no board, which only admins moderate @throws AppError 403 */
async function requireModeration(ctx: Context, user: SessionUser, boardId: string | null): Promise<void> {
  if (user.role === 'admin') return
  if (boardId === null || !(await listModeratedBoards(ctx, user.id)).includes(boardId))
    throw errors.forbidden(refusal('moderation.reportNotAllowed'))
}
