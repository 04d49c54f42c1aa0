import { sql } from 'drizzle-orm'
import { livePost, quote, thread } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { idList } from '#server/features/board/quotes.ts'
import type { PostRef } from '#src/contract/post.ts'

/** The posts that each post links to. */
export type QuoteTargets = ReadonlyMap<number, PostRef[]>

/** Limits a list with many links. Other links are shown like links to missing posts. */
const MAX_QUOTES = 3000

/** Reads what listed posts link to, without looking up links from one listed post to another. */
export async function readQuoteTargets({ db }: Pick<Services, 'db'>, listed: PostRef[]): Promise<QuoteTargets> {
  const targets = new Map<number, PostRef[]>()
  if (listed.length === 0) return targets
  const known = new Map(listed.map((ref) => [ref.id, ref]))
  const ids = [...known.keys()]
  // The `between` is redundant, but makes the planner use the index. `offset 0` keeps it from joining whole tables.
  const rows = await db.execute<{ from: string; to: string; threadId: string | null; boardId: string | null }>(sql`
    select ${quote.fromId} as "from", ${quote.toId} as "to", location.thread_id::text as "threadId",
      location.board_id as "boardId"
    from ${quote} left join lateral (
      select ${livePost.threadId}, ${thread.boardId} from ${livePost} join ${thread} on ${thread.id} = ${livePost.threadId}
      where ${livePost.id} = ${quote.toId} and not ${quote.toId} in (select unnest(${idList(ids)})) offset 0) location on true
    where ${quote.fromId} = any(${idList(ids)}) and ${quote.fromId} between ${Math.min(...ids)} and ${Math.max(...ids)}
    limit ${MAX_QUOTES}::int`)
  for (const { from, to, threadId, boardId } of rows) {
    const id = Number(to)
    const found = threadId !== null && boardId !== null ? { id, threadId: Number(threadId), boardId } : undefined
    const target = known.get(id) ?? found
    if (target) targets.set(Number(from), [...(targets.get(Number(from)) ?? []), target])
  }
  return targets
}
