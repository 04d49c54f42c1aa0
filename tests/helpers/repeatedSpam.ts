import { sql } from 'drizzle-orm'
import type { Database } from '#db/client.server.ts'
import { idList } from '#server/features/board/quotes.ts'

type Spam = { content: string; threadIds: number[]; rounds: number }

/**
 * Repeats comments with their origins and quotes, as if their posters had posted them again and again: posting through
 * the API takes ten times as long.
 * @param threadIds the first has the comments; the rounds alternate between all of them
 * @param rounds number of times that each comment exists in the end
 */
export const repeatSpam = (db: Database, { content, threadIds, rounds }: Spam) =>
  db.execute(sql`
    with copy as materialized (
      select nextval('post_number') as id, original, thread_id from (
        select post.id as original, (${idList(threadIds)})[1 + round % ${threadIds.length}::int] as thread_id
        from post cross join generate_series(1, ${rounds - 1}::int) as round
        where post.thread_id = ${threadIds[0]}::bigint and content = ${content} order by round, original) as spam),
    posted as (
      insert into post (id, thread_id, author, content, created_at)
      select copy.id, copy.thread_id, author, content, created_at from copy join post on post.id = original),
    originated as (
      insert into origin (kind, item_id, epoch_id, host, range)
      select kind, copy.id::text, epoch_id, host, range
      from copy join origin on kind = 'post' and item_id = original::text),
    quoted as (insert into quote (from_id, to_id) select copy.id, to_id from copy join quote on from_id = original)
    update thread set comment_count = comment_count + copies
    from (select thread_id, count(*) as copies from copy group by thread_id) as added
    where thread.id = added.thread_id`)
