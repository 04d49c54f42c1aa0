import { type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { alert } from '#db/schema/index.ts'
import type { AlertKind } from '#src/contract/moderation.ts'

/** @property count how many reports or posts the alert is about */
type NewAlert = { kind: AlertKind; boardId: string | null; count: number }

/**
 * Stores an alert for the moderators of a board, or only for admins if `boardId` is null. The job `alerts` sends it
 * after the commit.
 */
export async function alertModerators(tx: Transaction, now: Date, { kind, boardId, count }: NewAlert): Promise<void> {
  await tx.insert(alert).values({ kind, boardId, count, createdAt: now })
}

/** Returns the statement that stores an alert about a post that waits for a review. @param target has its `board_id` */
export const insertHeldAlert = (now: Date, target: SQL): SQL =>
  sql`insert into ${alert} (kind, board_id, count, created_at)
    select 'held', board_id, 1, ${now.toISOString()}::timestamptz from ${target}`
