import { type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { insertMessages, queueMessages } from '#server/core/outbox/outbox.ts'
import type { AlertKind } from '#src/contract/alerts.ts'

/** @property count how many reports or posts the alert is about */
export type Alert = { kind: AlertKind; boardId: string | null; count: number }

/** Stores an alert for the moderators of a board, or for admins if `boardId` is null. All moderators learn of a raid. */
export const alertModerators = (tx: Transaction, now: Date, alert: Alert): Promise<void> =>
  queueMessages(tx, 'moderators', now, [alert])

/** Returns the statement that stores an alert about a post that waits for a review. @param target has its `board_id` */
export const insertHeldAlert = (now: Date, target: SQL): SQL =>
  insertMessages(
    'moderators',
    now,
    sql`select json_build_object('kind', 'held', 'boardId', board_id, 'count', 1) from ${target}`,
  )
