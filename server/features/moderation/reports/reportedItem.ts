import { and, asc, eq, isNull } from 'drizzle-orm'
import { report } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { labelItem } from '#server/features/moderation/origins/findPosters.ts'
import type { ReportedItem } from '#src/contract/reports.ts'
import { readContent } from './reportedContent.ts'
import { openUrl } from './reports.ts'

/** Shown reports per item: a flood of reports must not bury the item. */
const SHOWN_REPORTS = 10

/** Reads a reported item with its open reports and its content. @returns null if the reports were closed meanwhile */
export async function readReportedItem(ctx: Context, id: number): Promise<ReportedItem | null> {
  const [first] = await ctx.db.select().from(report).where(eq(report.id, id))
  if (!first) return null
  const { kind, itemId, boardId } = first
  const isOpen = and(eq(report.kind, kind), eq(report.itemId, itemId), isNull(report.closedAt))
  const [rows, count] = await Promise.all([
    ctx.db.select().from(report).where(isOpen).orderBy(asc(report.id)).limit(SHOWN_REPORTS),
    ctx.db.$count(report, isOpen),
  ])
  const reportId = rows[0]?.id
  if (reportId === undefined) return null
  const pastePath = rows.map((row) => openUrl(ctx, row)).find((path) => path !== null) ?? null
  const { path, content } = await readContent(ctx, kind, itemId, pastePath)
  const label = kind === 'program' ? null : await labelItem(ctx.db, kind, itemId, boardId)
  const reports = rows.map(({ id, reason, text, createdAt }) => ({ id, reason, text, createdAt }))
  return { kind, reportId, boardId, label, path, count, reports, content }
}
