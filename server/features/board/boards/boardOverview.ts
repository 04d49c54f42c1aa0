import { isNull, sql } from 'drizzle-orm'
import { board } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { boardLimits } from '#src/contract/board.ts'
import type { ListedBoard } from '#src/contract/thread.ts'
import { readBoardActivity } from './activity.ts'
import { boardColumns, boardOrder } from './boards.ts'

type LatestRow = { id: number; title: string; lastActivity: string }

// Sorting makes PostgreSQL read the index, which is in this order, instead of the whole table.
const threadsOfBoard = (limit: number) => sql`(select t.id, t.title, t.last_activity from thread t
  where t.board_id = "board"."id" and t.deleted_at is null and t.archived_at is null
  order by t.last_activity desc, t.id desc limit ${sql.raw(String(limit))})`

const latest = sql<LatestRow | null>`(select json_build_object('id', newest.id, 'title', newest.title,
  'lastActivity', newest.last_activity) from ${threadsOfBoard(1)} newest)`
const threads = sql<number>`(select count(*)::int from ${threadsOfBoard(boardLimits.countedThreads + 1)} counted)`

/** Lists the boards with what happens on them. */
export async function listBoardOverviews(ctx: Pick<Services, 'db' | 'now'>): Promise<ListedBoard[]> {
  const [boards, activity] = await Promise.all([
    ctx.db
      .select({ ...boardColumns, threads, latest })
      .from(board)
      .where(isNull(board.deletedAt))
      .orderBy(...boardOrder),
    readBoardActivity(ctx),
  ])
  return boards.map((row) => ({
    ...row,
    latest: row.latest && { ...row.latest, lastActivity: new Date(row.latest.lastActivity) },
    activity: activity.get(row.id) ?? [],
  }))
}
