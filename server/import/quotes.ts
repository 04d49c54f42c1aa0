import { sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { livePost, quote } from '#db/schema/index.ts'
import { publishQuoteChanges } from '#server/features/board/quotes.ts'
import { recordset } from './insertRows.ts'
import type { PostRow, Quote } from './rows.ts'

/** Stores quotes. They also quote posts that are imported later: readers see a quote once both posts are there. */
export async function insertQuotes(tx: Transaction, now: Date, posts: PostRow[], pairs: Quote[]): Promise<void> {
  if (pairs.length === 0) return
  // `offset 0`: see `readThreadStates`.
  const rows = await tx.execute<{ id: string; threadId: string }>(sql`
    with stored as (insert into ${quote} (from_id, to_id)
      select from_id, to_id from ${recordset(pairs, 'from_id bigint, to_id bigint')} on conflict do nothing returning to_id)
    select quoted.id, quoted.thread_id as "threadId" from (select distinct to_id from stored) as target
    cross join lateral (select id, thread_id from ${livePost} where ${livePost.id} = target.to_id offset 0) as quoted`)
  const ownThreads = new Set(posts.map(({ thread_id }) => thread_id))
  const elsewhere = rows.flatMap(({ id, threadId }) => (ownThreads.has(Number(threadId)) ? [] : Number(id)))
  await publishQuoteChanges(tx, now, elsewhere)
}
