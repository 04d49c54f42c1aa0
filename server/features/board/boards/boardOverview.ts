import { and, gte, isNull, lt, sql } from 'drizzle-orm'
import type { Database } from '#db/client.server.ts'
import { board, livePost, thread } from '#db/schema/index.ts'
import { cacheFor } from '#server/core/cache/cacheFor.ts'
import type { Services } from '#server/core/context.ts'
import { withLastEventId } from '#server/core/events/writeAndPublish.ts'
import { guestProcedure } from '#server/core/rpc/procedures.ts'
import { ACTIVITY_SLOT_MS, boardLimits, type DayActivity } from '#src/contract/board.ts'
import type { ListedBoard } from '#src/contract/thread.ts'
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
export const overview = guestProcedure.query(({ ctx }) =>
  withLastEventId(ctx, async () => {
    const columns = { ...boardColumns, threads, latest }
    const read = ctx.db.select(columns).from(board).where(isNull(board.deletedAt)).orderBy(boardOrder)
    const [rows, counts] = await Promise.all([read, readBoardActivity(ctx)])
    const boards = rows.map(
      ({ latest, ...row }): ListedBoard => ({
        ...row,
        latest: latest && { ...latest, lastActivity: new Date(latest.lastActivity) },
        activity: counts.get(row.id) ?? [],
      }),
    )
    return { boards }
  }),
)

type Reader = Pick<Services, 'db' | 'now'>

const DAY_SLOTS = 144
const HOUR_SLOTS = 6
const STRIP_SLOTS = DAY_SLOTS / boardLimits.activityCounts
/** Limits how often posts are counted. */
const MAX_AGE_MS = 10_000

/** Posts of a board in ten minutes. `slot` is the number of ten minutes since 1970. */
type SlotCount = { boardId: string; slot: number; count: number }
type Counts = { slot: number; rows: SlotCount[] }

/** Counts the posts of the last 24 hours. */
export async function countRecentPosts({ db, now }: Reader): Promise<Counts> {
  const current = Math.floor(now().getTime() / ACTIVITY_SLOT_MS)
  const slot = sql<number>`floor(extract(epoch from ${livePost.createdAt}) / ${sql.raw(String(ACTIVITY_SLOT_MS / 1000))})::int`
  const startOf = (number: number) => new Date(number * ACTIVITY_SLOT_MS)
  const { createdAt, threadId } = livePost
  const isRecent = and(gte(createdAt, startOf(current - DAY_SLOTS + 1)), lt(createdAt, startOf(current + 1)))
  const columns = { threadId, slot: slot.as('slot'), posts: sql<number>`count(*)`.as('posts') }
  const byThread = db.select(columns).from(livePost).where(isRecent).groupBy(threadId, sql`2`).as('by_thread')
  // A join would let PostgreSQL read all threads.
  const boardId = sql<string>`(select ${thread.boardId} from ${thread} where ${thread.id} = ${byThread.threadId})`
  const rows = await db
    .select({ boardId, slot: byThread.slot, count: sql<number>`sum(${byThread.posts})::int` })
    .from(byThread)
    .groupBy(sql`1, 2`)
  return { slot: current, rows }
}

const readers = new WeakMap<Database, () => Promise<Counts>>()

/** Returns counts that are at most some seconds old, because every view of Home and of the list of boards needs them. */
function readRecentPosts(ctx: Reader): Promise<Counts> {
  const { db, now } = ctx
  const count = () => countRecentPosts({ db, now })
  const read = readers.get(db) ?? cacheFor(MAX_AGE_MS, count, { now: () => now().getTime() })
  readers.set(db, read)
  return read()
}

/** Returns, by board id, the posts per half hour of the last 24 hours, oldest first. Lacks boards without posts. */
async function readBoardActivity(ctx: Reader): Promise<Map<string, number[]>> {
  const { slot, rows } = await readRecentPosts(ctx)
  const byBoard = new Map<string, number[]>()
  for (const row of rows) {
    const counts = byBoard.get(row.boardId) ?? Array<number>(boardLimits.activityCounts).fill(0)
    byBoard.set(row.boardId, counts)
    const index = boardLimits.activityCounts - 1 - Math.floor((slot - row.slot) / STRIP_SLOTS)
    counts[index] = (counts[index] ?? 0) + row.count
  }
  return byBoard
}

/** Counts the posts of this UTC day. */
export const activity = guestProcedure.query(async ({ ctx }): Promise<DayActivity> => {
  const { slot, rows } = await readRecentPosts(ctx)
  const counts = Array<number>((slot % DAY_SLOTS) + 1).fill(0)
  const first = slot - counts.length + 1
  let lastHour = 0
  for (const row of rows) {
    if (row.slot >= first) counts[row.slot - first] = (counts[row.slot - first] ?? 0) + row.count
    if (row.slot > slot - HOUR_SLOTS) lastHour += row.count
  }
  return { counts, lastHour }
})
