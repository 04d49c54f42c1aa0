import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Transaction } from '#db/client.server.ts'
import {
  importedImage,
  importedThread,
  livePost,
  missingImage,
  post,
  postSearch,
  quote,
  thread,
} from '#db/schema/index.ts'
import { publishQuoteChanges } from '#server/features/board/quotes.ts'
import { changedNow } from '#server/features/board/read/queries.ts'
import type { PostImages } from '#server/import/images/postImages.ts'
import type { Pending } from './importedState.ts'
import type { PostRow, Quote, ThreadRow } from './rows.ts'

/** Passes rows as one JSON parameter, because a statement can have at most 65,535 parameters. */
export const recordset = (rows: object[], columns: string): SQL =>
  sql`json_to_recordset(${JSON.stringify(rows)}::json) as given(${sql.raw(columns)})`

/**
 * Returns a recordset of rows of a table, and the names of their columns: in the table, and in the recordset.
 * @param more columns of the recordset that the table does not have
 */
function rowsOf<Row extends object>(table: PgTable, rows: Row[], more = '') {
  const columns = getTableColumns(table)
  const listed = Object.keys(rows[0] ?? {}).flatMap((key) => {
    const column = columns[key]
    return column ? { key: `"${key}"`, name: column.name, type: column.getSQLType() } : []
  })
  return {
    names: sql.raw(listed.map(({ name }) => name).join()),
    keys: sql.raw(listed.map(({ key }) => key).join()),
    given: recordset(rows, listed.map(({ key, type }) => `${key} ${type}`).join() + more),
  }
}

export async function insertThreads(tx: Transaction, boardId: string, threads: ThreadRow[]): Promise<void> {
  if (threads.length === 0) return
  const { names, keys, given } = rowsOf(thread, threads)
  await tx.execute(sql`insert into ${thread} (${names}, board_id) select ${keys}, ${boardId} from ${given}`)
}

export async function updateThreads(tx: Transaction, now: Date, threads: ThreadRow[]): Promise<void> {
  if (threads.length === 0) return
  await tx.execute(sql`update ${thread} set last_activity = greatest(${thread.lastActivity}, given."lastActivity"),
      changed_at = ${changedNow(now)},
      comment_count = ${thread.commentCount} + given."commentCount", reply_count = ${thread.replyCount} + given."replyCount",
      image_count = ${thread.imageCount} + given."imageCount",
      byte_count = ${thread.byteCount} + given."byteCount", node_count = ${thread.nodeCount} + given."nodeCount"
    from ${rowsOf(thread, threads).given} where ${thread.id} = given.id`)
}

/**
 * Inserts posts and their words for the search. Adds the words to the index at once: for every fifty posts, as
 * `index_posts` does it, would take three times as long.
 */
export async function insertPosts(tx: Transaction, posts: PostRow[]): Promise<void> {
  const { names, keys, given } = rowsOf(post, posts, ', words tsvector')
  const insert = sql`
    with given as materialized (select * from ${given}),
      inserted as (insert into ${post} (${names}) select ${keys} from given order by id)
    insert into ${postSearch} (post_id, vector)
    select given.id, search_vector(given.id, board_id, case when given.id = "threadId" then title end, author,
      coalesce(words, to_tsvector('simple', search_words(content))), image is not null, "createdAt")
    from given cross join lateral (select board_id, title from ${thread} where ${thread.id} = "threadId" offset 0) as place
    order by given.id`
  await Promise.all([tx.execute(insert), tx.execute(sql`select gin_clean_pending_list('post_search_by_word')`)])
}

export async function recordThreads(tx: Transaction, source: string, pending: Pending[]): Promise<void> {
  const rows = pending.map(({ thread: { number, posts } }) => ({
    number,
    newest: posts.at(-1)?.number ?? number,
    opened_ms: posts.find((one) => one.number === number)?.time.getTime() ?? null,
  }))
  await tx.execute(sql`insert into ${importedThread} (source, number, newest, opened_ms)
    select ${source}, number, newest, opened_ms
    from ${recordset(rows, 'number bigint, newest bigint, opened_ms bigint')}
    on conflict (source, number) do update set newest = greatest(${importedThread.newest}, excluded.newest)`)
}

/** Stores quotes. They also quote posts that are imported later: readers see a quote once both posts are there. */
export async function insertQuotes(tx: Transaction, now: Date, posts: PostRow[], pairs: Quote[]): Promise<void> {
  if (pairs.length === 0) return
  // `offset 0`: see `readThreadStates`.
  const rows = await tx.execute<{ id: string; threadId: string }>(sql`
    with stored as (insert into ${quote} (from_id, to_id)
      select from_id, to_id from ${recordset(pairs, 'from_id bigint, to_id bigint')} on conflict do nothing returning to_id)
    select quoted.id, quoted.thread_id as "threadId" from (select distinct to_id from stored) as target
    cross join lateral (select id, thread_id from ${livePost} where ${livePost.id} = target.to_id offset 0) as quoted`)
  const ownThreads = new Set(posts.map(({ threadId }) => threadId))
  const elsewhere = rows.flatMap(({ id, threadId }) => (ownThreads.has(Number(threadId)) ? [] : Number(id)))
  await publishQuoteChanges(tx, now, elsewhere)
}

/** A thumbnail has the same name with another extension. */
export const withoutExtension = (name: string) => name.replace(/\.[^./]*$/, '')

/** Remembers the names of stored images, and the images that the next run tries again. */
export async function recordImages(
  tx: Transaction,
  source: string,
  posts: ReadonlyMap<number, PostImages>,
): Promise<void> {
  const stored = [...posts].flatMap(([number, { images, names }]) =>
    images.map(({ place = 0 }, index) => ({ number, name: withoutExtension(names[index] ?? ''), place })),
  )
  const missing = [...posts].flatMap(([number, post]) => post.missing.map((name) => ({ number, name })))
  if (stored.length > 0) {
    const given = recordset(stored, 'number bigint, name text, place int')
    // A moderator has deleted the image that was at this place.
    await tx.execute(sql`delete from ${importedImage} using ${given} where ${importedImage.source} = ${source}
      and ${importedImage.number} = given.number and ${importedImage.place} = given.place`)
    await tx.execute(sql`insert into ${importedImage} (source, number, name, place)
      select distinct on (number, name) ${source}, number, name, place from ${given}
      on conflict (source, number, name) do update set place = excluded.place`)
  }
  if (missing.length > 0)
    await tx.execute(sql`insert into ${missingImage} (source, number, name)
      select ${source}, number, name from ${recordset(missing, 'number bigint, name text')} on conflict do nothing`)
}
