import { and, asc, count, eq, gt, inArray, isNull, min, type SQL, sql } from 'drizzle-orm'
import { report } from '#db/schema/index.ts'
import type { SessionUser } from '#server/core/auth/sessions.ts'
import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import type { ItemKind } from '#src/contract/moderation.ts'
import { type ReportedItem, type ReportQueue, reportMessages } from '#src/contract/reports.ts'
import { moderatedBoards } from './permissions.ts'
import { readContent } from './reportedContent.ts'
import { openUrl } from './reports.ts'

/** Items per call. The page asks again when it has shown them. */
const ITEMS = 10
/** Shown reports per item: a flood of reports must not bury the item. */
const QUEUE_REPORTS = 10

/**
 * Returns the items with open reports, oldest first, with their content.
 * @param after continues after the item with this `reportId` @throws AppError 403
 */
export async function readQueue(ctx: Context, after: number, user: SessionUser): Promise<ReportQueue> {
  const boards = await moderatedBoards(ctx, user)
  if (boards?.length === 0) throw errors.forbidden(reportMessages.notAllowed)
  const isVisible = and(isNull(report.closedAt), boards ? inArray(report.boardId, boards) : undefined)
  const [groups, total] = await Promise.all([readGroups(ctx, isVisible, after), countItems(ctx, isVisible)])
  const items: ReportedItem[] = []
  // One after the other: each may decrypt a paste of a megabyte.
  for (const group of groups) items.push(await readItem(ctx, group))
  return { items, total, now: ctx.now() }
}

/** Returns the number of items with open reports. @param isVisible defaults to the reports of all boards */
export async function countItems(
  { db }: Pick<Context, 'db'>,
  isVisible: SQL | undefined = isNull(report.closedAt),
): Promise<number> {
  const [row] = await db
    .select({ items: sql<number>`count(distinct (${report.kind}, ${report.itemId}))::int` })
    .from(report)
    .where(isVisible)
  return row?.items ?? 0
}

type Group = { kind: ItemKind; itemId: string; boardId: string | null; count: number }

const readGroups = ({ db }: Context, isVisible: SQL | undefined, after: number): Promise<Group[]> =>
  db
    .select({ kind: report.kind, itemId: report.itemId, boardId: report.boardId, count: count() })
    .from(report)
    .where(isVisible)
    .groupBy(report.kind, report.itemId, report.boardId)
    .having(gt(min(report.id), after))
    .orderBy(asc(min(report.id)))
    .limit(ITEMS)

async function readItem(ctx: Context, group: Group): Promise<ReportedItem> {
  const { kind, itemId } = group
  const rows = await ctx.db
    .select()
    .from(report)
    .where(and(eq(report.kind, kind), eq(report.itemId, itemId), isNull(report.closedAt)))
    .orderBy(asc(report.id))
    .limit(QUEUE_REPORTS)
  const pastePath = rows.map((row) => openUrl(ctx, row)).find((path) => path !== null) ?? null
  const { path, content } = await readContent(ctx, kind, itemId, pastePath)
  return {
    kind,
    // If another moderator has just closed the reports, the page learns it from the first action.
    reportId: rows[0]?.id ?? 0,
    boardId: group.boardId,
    path,
    count: group.count,
    reports: rows.map(({ id, reason, text, createdAt }) => ({ id, reason, text, createdAt })),
    content,
  }
}
