import { listModeratedBoards } from '#server/core/auth/moderators.ts'
import { errors } from '#server/core/errors.ts'
import { type MemberContext, memberProcedure } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { refusal } from '#src/contract/refusal.ts'
import { REPORT_CALL, resolveForm, takedownForm } from '#src/contract/reports.ts'
import { findItem, findReportedItem } from './items.ts'
import { parseItemUrl } from './itemUrl.ts'
import { removeItem } from './removeItem.ts'
import { closeReports, findOpenReport } from './reports.ts'

/**
 * Acts on the item of a report, and closes all open reports of the item.
 * @throws AppError 403, 404, or 409 if another moderator closed the report
 */
export const resolve = documented(
  memberProcedure()
    .input(resolveForm)
    .mutation(async ({ ctx, input: { reportId, action, reason } }) => {
      const report = await findOpenReport(ctx, reportId)
      await requireModeration(ctx, report.boardId)
      if (action === 'dismiss') {
        const closed = { now: ctx.now(), userId: ctx.user.id, outcome: 'dismissed' } as const
        const count = await ctx.db.transaction((tx) => closeReports(tx, closed, report.kind, [report.itemId]))
        if (count === 0) throw errors.conflict(refusal('moderation.reportClosed'))
        return
      }
      const item = await findReportedItem(ctx, report.kind, report.itemId)
      if (!item) throw errors.notFound(refusal('moderation.reportNotFound'))
      await removeItem(ctx, item, action === 'take-down' ? 'takedown' : 'delete', reason)
    }),
  {
    method: 'POST',
    path: `${REPORT_CALL}/:reportId`,
    summary: 'Closes all reports of an item',
    answer: null,
    access: 'moderator',
    statuses: { 409: 'The reports are closed' },
  },
)

/** Takes down the item at a URL of this site, also a post that is held or was removed. @throws AppError 400, 403 or 404 */
export const takedown = documented(
  memberProcedure()
    .input(takedownForm)
    .mutation(async ({ ctx, input: { url, reason } }) => {
      const item = await findItem(ctx, parseItemUrl(url, ctx.config.siteUrl), true)
      await requireModeration(ctx, item.boardId)
      await removeItem(ctx, item, 'takedown', reason)
    }),
  {
    method: 'POST',
    path: '/api/moderation/takedowns',
    summary: 'Takes down the item at a URL',
    answer: null,
    access: 'moderator',
    statuses: { 404: 'There is nothing at this URL', 410: 'The item was taken down' },
  },
)

/** @param boardId null for items that belong to no board, which only admins moderate @throws AppError 403 */
async function requireModeration(ctx: MemberContext, boardId: string | null): Promise<void> {
  const { user } = ctx
  if (user.role === 'admin') return
  if (boardId === null || !(await listModeratedBoards(ctx, user.id)).includes(boardId))
    throw errors.forbidden(refusal('moderation.reportNotAllowed'))
}
