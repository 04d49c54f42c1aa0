import { type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { watcher } from '#db/schema/index.ts'
import { insertMessages } from '#server/core/outbox/outbox.ts'

export type PublishedPost = { postId: number }

/** Gives the author's browser time to say that the post is its own. */
const DELAY_MS = 10_000

/** Returns the statement that queues alerts about published posts. @param target has their `id` */
export const insertWatchAlerts = (now: Date, target: SQL): SQL =>
  insertMessages(
    'watchers',
    new Date(now.getTime() + DELAY_MS),
    sql`select json_build_object('postId', id) from ${target} where exists (select from ${watcher})`,
  )

/** Queues alerts about held posts that are published. */
export async function queueWatchAlerts(tx: Transaction, now: Date, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  const published = sql`(select value::bigint as id from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)) as published`
  await tx.execute(insertWatchAlerts(now, published))
}
