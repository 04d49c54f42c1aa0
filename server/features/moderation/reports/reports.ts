import { and, eq, isNull, ne, type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { post, report, thread } from '#db/schema/index.ts'
import {
  type Attempt,
  abandonAttempt,
  findMadeItem,
  finishAttempt,
  identifyAttempt,
  spendChallenge,
} from '#server/core/auth/attempts.ts'
import { isCaptchaError } from '#server/core/auth/captcha.ts'
import type { Context } from '#server/core/context.ts'
import { AppError, errors } from '#server/core/errors.ts'
import { guestProcedure, rateLimited } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { sealBytes } from '#server/core/security/seal.ts'
import { idList } from '#server/features/board/quotes.ts'
import { alertModerators } from '#server/features/moderation/alerts/moderatorAlerts.ts'
import type { LogActor } from '#server/features/moderation/log/log.ts'
import { publishModeration } from '#server/features/moderation/queue/queueEvents.ts'
import { refusal } from '#src/contract/refusal.ts'
import {
  type ItemKind,
  REPORT_CALL,
  REPORT_PATH,
  type ReportForm,
  type ReportOutcome,
  reportForm,
} from '#src/contract/reports.ts'
import { findItem, type ItemReference, parseItemUrl } from './items.ts'

/**
 * Stores a report, once if the same form is sent again with the same captcha.
 * @throws AppError. Order of the checks: URL, captcha, whether the item exists.
 */
export const reportItem = documented(
  guestProcedure
    .input(reportForm)
    .use(rateLimited('report'))
    .mutation(async ({ ctx, input: form }) => {
      const reference = parseItemUrl(form.url, ctx.config.siteUrl, form.post)
      const { challengeId, captchaAnswer: _answer, ...texts } = form
      const attempt = identifyAttempt(ctx, challengeId, () => ['report', texts])
      try {
        await spendChallenge(ctx, form, attempt)
      } catch (error) {
        if (attempt && isCaptchaError(error) && (await findMadeItem(ctx.db, attempt)) !== null) return
        throw error
      }
      await storeReport(ctx, form, reference, attempt).catch(async (error) => {
        if (attempt && error instanceof AppError) await abandonAttempt(ctx.db, attempt)
        throw error
      })
    }),
  {
    path: REPORT_CALL,
    summary:
      'Reports a post, paste, shared image or program by its URL. `post` is the number of a post, if the URL names a thread.',
    statuses: { 404: 'There is nothing at this URL' },
    formPage: { path: REPORT_PATH },
  },
)

async function storeReport(ctx: Context, form: ReportForm, reference: ItemReference, attempt: Attempt | null) {
  const { kind, itemId, threadId } = await findItem(ctx, reference)
  const now = ctx.now()
  // The paste's lookup authenticates the URL, so a URL opens only in reports of its paste.
  const sealedUrl =
    reference.kind === 'paste' ? sealBytes(ctx.secrets.reports, Buffer.from(itemId), Buffer.from(reference.path)) : null
  const texts = { reason: form.reason, text: form.text ?? '', sealedUrl }
  await ctx.db.transaction(async (tx) => {
    const boardId = threadId === null ? null : await lockBoardOf(tx, threadId)
    const row = { kind, itemId, boardId, ...texts, createdAt: now }
    const stored = tx.insert(report).values(row).returning({ id: report.id })
    await tx.execute(sql`with stored as ${stored} ${finishAttempt(attempt, sql`select id from stored`)}`)
    await alertModerators(tx, now, { kind: 'report', boardId, count: 1 })
    await publishModeration(tx, now, 'queue')
  })
}

/** Returns the board of a thread, which cannot move until the transaction ends. @throws AppError 404 if it is gone */
async function lockBoardOf(tx: Transaction, threadId: number): Promise<string> {
  const isThread = eq(thread.id, threadId)
  const [found] = await tx.select({ boardId: thread.boardId }).from(thread).where(isThread).for('share')
  if (!found) throw errors.notFound(refusal('moderation.reportNotFound'))
  return found.boardId
}

/**
 * Closes all open reports of items, and forgets their URLs.
 * @param closed.userId null if a cyclical thread removed its oldest posts
 * @param condition limits which reports close
 * @returns the number of closed reports
 */
export async function closeReports(
  tx: Transaction,
  closed: { now: Date; userId: string | null; outcome: ReportOutcome },
  kind: ItemKind,
  itemIds: string[],
  condition?: SQL,
): Promise<number> {
  // One parameter, because a statement can have at most 65,535.
  const isOfItem = sql`${report.itemId} in (select unnest(string_to_array(${itemIds.join()}, ',')))`
  const { now, userId, outcome } = closed
  const isOpen = and(eq(report.kind, kind), isOfItem, isNull(report.closedAt), condition)
  const closing = { closedAt: now, closedBy: userId, outcome, sealedUrl: null }
  const rows = await tx.update(report).set(closing).where(isOpen).returning({ id: report.id })
  if (rows.length > 0) await publishModeration(tx, now, 'queue')
  return rows.length
}

/**
 * Closes the reports of those of the posts that are removed, except reports of illegal content: somebody must decide
 * whether to take the posts down, because removed posts can be restored. Authors close no reports of their posts.
 */
export async function closeReportsOfRemoved(
  tx: Transaction,
  now: Date,
  actor: LogActor | undefined,
  ids: number[],
): Promise<void> {
  if (actor?.role === 'author') return
  const closed = { now, userId: actor?.userId ?? null, outcome: 'deleted' } as const
  // Another moderator may have published some of the posts meanwhile.
  const isRemoved = sql`${report.itemId} in (
    select ${post.id}::text from ${post} where ${post.id} = any(${idList(ids)}) and ${post.state} = 'removed')`
  await closeReports(tx, closed, 'post', ids.map(String), and(ne(report.reason, 'illegal'), isRemoved))
}
