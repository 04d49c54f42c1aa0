import { and, eq, sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { thread } from '#db/schema/index.ts'
import { isLive } from '#server/features/board/read/threadConditions.ts'
import { boardLimits } from '#src/contract/board.ts'

/** First part of the lock's key. It differs from other advisory locks, so that boards do not wait for them. */
const PINS_LOCK = 0x70696e

/**
 * Returns whether a board has more pinned threads than its first page shows. Locks the board's pins until the
 * transaction ends, so call it after pinning: of two concurrent transactions, the second counts the first one's thread.
 */
export async function hasTooManyPins(tx: Transaction, boardId: string): Promise<boolean> {
  await tx.execute(sql`select pg_advisory_xact_lock(${PINS_LOCK}::int, hashtext(${boardId}))`)
  const isPinned = and(eq(thread.boardId, boardId), thread.pinned, isLive)
  return (await tx.$count(thread, isPinned)) > boardLimits.pinnedThreads
}
