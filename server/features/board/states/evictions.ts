import { and, desc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { board, post, thread } from '#db/schema/index.ts'
import type { TopicChange } from '#server/core/events/event.ts'
import { changedNow, isLive } from '#server/features/board/read/threadConditions.ts'
import { changesOfPost } from './stateEvents.ts'
import type { ThreadState } from './threadStates.ts'

type Gone = Pick<ThreadState, 'threadId' | 'boardId'>

/**
 * Brings back threads that were archived because a board was full of threads that were removed or moved away now: those
 * archived since the oldest of them was opened, as far as there is room, the most recently active first.
 * @param hidden threads with the boards that they have left
 */
export async function reviveEvicted(tx: Transaction, now: Date, hidden: Gone[]): Promise<TopicChange[]> {
  const changes: TopicChange[] = []
  for (const boardId of new Set(hidden.map((one) => one.boardId))) {
    const ids = hidden.filter((one) => one.boardId === boardId).map(({ threadId }) => threadId)
    for (const id of await revive(tx, now, boardId, ids)) changes.push(...changesOfPost(boardId, id))
  }
  return changes
}

async function revive(tx: Transaction, now: Date, boardId: string, hidden: number[]): Promise<number[]> {
  const [settings] = await tx.select({ limit: board.threadLimit }).from(board).where(eq(board.id, boardId))
  const room = settings?.limit
    ? settings.limit - (await tx.$count(thread, and(eq(thread.boardId, boardId), isLive)))
    : 0
  if (room <= 0) return []
  const opened = tx
    .select({ at: sql`min(${post.createdAt})` })
    .from(post)
    .where(inArray(post.id, hidden))
  const evicted = tx
    .select({ id: thread.id })
    .from(thread)
    .where(
      and(
        eq(thread.boardId, boardId),
        isNull(thread.deletedAt),
        isNotNull(thread.archivedAt),
        sql`${thread.archivedAt} >= (${opened})`,
      ),
    )
    .orderBy(desc(thread.lastActivity), desc(thread.id))
    .limit(room)
  const rows = await tx
    .update(thread)
    .set({ archivedAt: null, changedAt: changedNow(now) })
    .where(inArray(thread.id, evicted))
    .returning({ id: thread.id })
  return rows.map(({ id }) => id)
}
