import { sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { post, quote, removedQuote } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { type Publisher, writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { publishQuoteChanges } from '#server/features/board/quotes.ts'
import { recordset } from './insertRows.ts'
import type { Target } from './ranges.ts'
import type { PostRow, Quote } from './rows.ts'

/** Quotes of posts that are imported later wait in `removed_quote`; see `connectQuotes`. */
export async function insertQuotes(tx: Transaction, now: Date, posts: PostRow[], pairs: Quote[]): Promise<void> {
  if (pairs.length === 0) return
  const rows = await tx.execute<{ id: string; threadId: string }>(sql`
    with given as materialized (select from_id, to_id, ${post.threadId} as thread_id
        from ${recordset(pairs, 'from_id bigint, to_id bigint')} left join ${post} on ${post.id} = to_id),
      waiting as (insert into ${removedQuote} (from_id, to_id) select from_id, to_id from given where thread_id is null
        on conflict do nothing),
      stored as (insert into ${quote} (from_id, to_id) select from_id, to_id from given where thread_id is not null)
    select distinct to_id as id, thread_id as "threadId" from given where thread_id is not null`)
  const ownThreads = new Set(posts.map(({ thread_id }) => thread_id))
  const elsewhere = rows.flatMap(({ id, threadId }) => (ownThreads.has(Number(threadId)) ? [] : Number(id)))
  await publishQuoteChanges(tx, now, elsewhere)
}

/** Stores the quotes of posts that were imported later, when all posts of a board are there. Forgets the others. */
export async function connectQuotes(deps: Publisher & Pick<Services, 'now'>, { ranges }: Target): Promise<void> {
  for (const { first, last, shift } of ranges) {
    const isOwn = sql`${removedQuote.fromId} between ${first + shift}::bigint and ${last + shift}::bigint`
    await writeAndPublish(deps, async (tx) => {
      const rows = await tx.execute<{ id: string }>(sql`
        with found as (delete from ${removedQuote} using ${post} quoting, ${post} quoted
            where ${isOwn} and quoting.id = ${removedQuote.fromId} and quoted.id = ${removedQuote.toId}
            returning ${removedQuote.fromId}, ${removedQuote.toId}),
          stored as (insert into ${quote} (from_id, to_id) select from_id, to_id from found on conflict do nothing)
        select distinct to_id as id from found`)
      await publishQuoteChanges(
        tx,
        deps.now(),
        rows.map(({ id }) => Number(id)),
      )
      await tx.execute(sql`delete from ${removedQuote} where ${isOwn}
        and not exists (select from withheld_post where id in (${removedQuote.fromId}, ${removedQuote.toId}))`)
    })
  }
}
