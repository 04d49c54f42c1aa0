import { and, asc, eq, gt, inArray, isNotNull, isNull, not, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Transaction } from '#db/client.server.ts'
import { board, post, thread } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import type { TopicChange } from '#server/core/events/event.ts'
import { publish, writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { guestProcedure } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { findBoard } from '#server/features/board/boards/boards.ts'
import { changesOfPost } from '#server/features/board/postEvents.ts'
import { isAnyOf } from '#server/features/board/quotes.ts'
import { changedNow, isBefore, isLive, isOnBoard } from '#server/features/board/read/queries.ts'
import type { ThreadState } from '#server/features/board/states/threadStates.ts'
import { boardLimits } from '#src/contract/board.ts'
import {
  type ArchivePage,
  archivedThreadSchema,
  formatCursor,
  nextCursorSchema,
  parseCursor,
  type ThreadCursor,
  threadListParams,
} from '#src/contract/thread.ts'

/** Limits how many threads a transaction locks. */
const BATCH = 100

const isLimited = and(isNull(board.deletedAt), gt(board.threadLimit, 0))

/** Returns the query of a time that is due if a board has more threads than its limit. */
export const excessThreads = ({ now }: Pick<Services, 'now'>): SQL => sql`
  select ${now().toISOString()} from ${board} where ${isLimited} and exists (select from ${thread}
    where ${thread.boardId} = any(array[${board.id}]) and ${isLive} offset ${board.threadLimit}) limit 1`

/** Archives the threads beyond the limits of their boards, those without activity for the longest time first. */
export async function archiveThreads(services: Pick<Services, 'db' | 'cache' | 'now'>, signal: AbortSignal) {
  const limited = await services.db.select({ id: board.id }).from(board).where(isLimited)
  for (const { id } of limited) {
    let archived = BATCH
    while (archived === BATCH && !signal.aborted) archived = await archiveBatch(services, id)
  }
}

/** @returns the number of archived threads */
const archiveBatch = (services: Pick<Services, 'db' | 'cache' | 'now'>, boardId: string): Promise<number> =>
  writeAndPublish(services, async (tx) => {
    const oldest = await findOldestKept(tx, boardId)
    if (!oldest) return 0
    const now = services.now()
    const isExcess = and(eq(thread.boardId, boardId), isLive, not(thread.pinned), isBefore(oldest))
    const excess = tx.select({ id: thread.id }).from(thread).where(isExcess).orderBy(oldestFirst).limit(BATCH)
    // The repeated condition keeps threads that are bumped or pinned between the subquery and the lock.
    const isArchived = and(inArray(thread.id, excess), isExcess)
    const change = { archivedAt: now, changedAt: changedNow(now) }
    const archived = await tx.update(thread).set(change).where(isArchived).returning({ id: thread.id })
    const changes = archived.flatMap(({ id }): TopicChange[] => [
      { topic: `thread:${id}`, change: { kind: 'post', postId: id } },
      { topic: `board:${boardId}`, change: { kind: 'thread-gone', threadId: id } },
    ])
    await publish(tx, now, changes)
    return archived.length
  })

const oldestFirst = sql`${thread.lastActivity}, ${thread.id}`
const newestFirst = sql`${thread.lastActivity} desc, ${thread.id} desc`

/** Returns the number of threads of a board's limit, or 0 without a limit. */
async function readLimit(tx: Transaction, boardId: string): Promise<number> {
  const [settings] = await tx.select({ limit: board.threadLimit }).from(board).where(eq(board.id, boardId))
  return settings?.limit ?? 0
}

/**
 * Returns the last thread within the board's limit, or undefined without a limit. Pinned threads count, but at least one
 * other thread is kept.
 */
async function findOldestKept(tx: Transaction, boardId: string): Promise<ThreadCursor | undefined> {
  const limit = await readLimit(tx, boardId)
  if (limit === 0) return undefined
  const pinned = await tx.$count(thread, and(eq(thread.boardId, boardId), thread.pinned, isLive))
  const { lastActivity, id } = thread
  const isOther = and(isOnBoard(boardId), isLive, not(thread.pinned))
  const order = sql`${thread.boardId}, ${newestFirst}`
  const others = tx.select({ lastActivity, id }).from(thread).where(isOther).orderBy(order)
  const kept = others.limit(Math.max(1, limit - pinned)).as('kept')
  const [oldest] = await tx.select().from(kept).orderBy(asc(kept.lastActivity), asc(kept.id)).limit(1)
  return oldest
}

/** Lists a board's archived threads by latest activity. @throws AppError 404 'Board not found' */
export const archive = documented(
  guestProcedure.input(threadListParams).query(({ ctx, input: { boardId, cursor } }) =>
    ctx.readLarge(async (): Promise<ArchivePage> => {
      const { board } = await findBoard(ctx, boardId)
      const after = parseCursor(cursor)
      const rows = await selectArchived(ctx, boardId, after ? isBefore(after) : undefined).limit(
        boardLimits.archivedPerPage + 1,
      )
      const threads = rows.slice(0, boardLimits.archivedPerPage)
      const last = threads.at(-1)
      return { board, threads, nextCursor: last && rows.length > threads.length ? formatCursor(last) : null }
    }),
  ),
  {
    path: '/api/dtpchan/boards/:boardId/archive',
    summary: 'Lists 100 archived threads of a board, by latest activity',
    answer: z.object({ threads: z.array(archivedThreadSchema), nextCursor: nextCursorSchema }),
  },
)

/** Selects a board's archived threads by latest activity. */
export function selectArchived({ db }: Pick<Services, 'db'>, boardId: string, condition?: SQL) {
  const { id, title, lastActivity, commentCount, replyCount } = thread
  return db
    .select({ id, title, lastActivity, commentCount, replyCount })
    .from(thread)
    .where(and(isOnBoard(boardId), isNull(thread.deletedAt), isNotNull(thread.archivedAt), condition))
    .orderBy(sql`${thread.boardId}, ${newestFirst}`)
}

/**
 * Brings back threads that were archived because a board was full of threads that were removed or moved away now: those
 * archived since the oldest of them was opened, the most recently active first. Threads that were archived themselves
 * leave no room.
 * @param hidden threads with the boards that they have left
 */
export async function reviveEvicted(
  tx: Transaction,
  now: Date,
  hidden: Pick<ThreadState, 'threadId' | 'boardId' | 'isArchived'>[],
): Promise<TopicChange[]> {
  const changes: TopicChange[] = []
  for (const boardId of new Set(hidden.map((one) => one.boardId))) {
    const gone = hidden.filter((one) => one.boardId === boardId)
    const left = gone.filter(({ isArchived }) => !isArchived).length
    const ids = gone.map(({ threadId }) => threadId)
    for (const id of await revive(tx, now, boardId, ids, left)) changes.push(...changesOfPost(boardId, id))
  }
  return changes
}

async function revive(tx: Transaction, now: Date, boardId: string, hidden: number[], left: number): Promise<number[]> {
  const limit = await readLimit(tx, boardId)
  const free = limit - (limit === 0 ? 0 : await tx.$count(thread, and(eq(thread.boardId, boardId), isLive)))
  const room = Math.min(free, left)
  if (room <= 0) return []
  const opened = sql`(select min(${post.createdAt}) from ${post} where ${isAnyOf(post.id, hidden)})`
  const isEvicted = and(eq(thread.boardId, boardId), isNull(thread.deletedAt), sql`${thread.archivedAt} >= ${opened}`)
  const evicted = tx.select({ id: thread.id }).from(thread).where(isEvicted).orderBy(newestFirst).limit(room)
  const change = { archivedAt: null, changedAt: changedNow(now) }
  const isRevived = inArray(thread.id, evicted)
  const rows = await tx.update(thread).set(change).where(isRevived).returning({ id: thread.id })
  return rows.map(({ id }) => id)
}
