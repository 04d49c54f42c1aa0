import { type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { watchAlert, watcher } from '#db/schema/index.ts'

/** Returns the statement that queues alerts about published posts. @param target has their `id` */
export const insertWatchAlerts = (now: Date, target: SQL): SQL =>
  sql`insert into ${watchAlert} (post_id, created_at)
    select id, ${now.toISOString()}::timestamptz from ${target} where exists (select from ${watcher})
    on conflict do nothing`

/** Queues alerts about held posts that are published. */
export async function queueWatchAlerts(tx: Transaction, now: Date, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  await tx.execute(
    insertWatchAlerts(
      now,
      sql`(select value::bigint as id from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)) as published`,
    ),
  )
}
