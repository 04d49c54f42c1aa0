import type { DatabaseHandle } from '#db/client.server.ts'
import { topics } from '#server/seed/texts.ts'
import { addArticles } from '#tests/helpers/articles.ts'
import type { Installation } from './installations.ts'

export const BOARD = 'technology'
/** Size of the measured thread: opening post, comments and replies. */
export const POSTS = 250
/** Number of threads on the small site, the baseline for larger sites. */
export const SMALL_SITE_THREADS = 100
const COMMENTS = 3
/** Limits threads per statement, to stay well within the statement timeout. */
const BATCH = 2500

type Sql = DatabaseHandle['sql']
/** Thread ids: `busy` has 250 posts and is measured; `others` receive new posts. */
export type Seeded = { busy: number; others: number[] }

/**
 * Seeds a site with a hundred threads, pictures and news (`npm run seed`). One thread has 250 posts. Closes the
 * database afterwards.
 */
export async function seedInstallation(installation: Installation): Promise<Seeded> {
  const first = await installation.start()
  await first.stop()
  // Creates more replies than needed. The busiest thread is then cut to 250 posts.
  await installation.command(['seed', '--threads', '60', '--comments', '230', '--pictures', '6', '--board', BOARD])
  const database = await installation.open()
  try {
    const busy = await cutBusiest(database.sql)
    await growTo(database.sql, SMALL_SITE_THREADS)
    const titles = TITLES.map((title, index) => ({ title, source: SOURCES[index % SOURCES.length] }))
    await addArticles(database.db, titles.slice(0, 120))
    const rows = await database.sql<{ id: string }[]>`
      select id from thread where board_id = ${BOARD} and id <> ${busy} order by last_activity desc, id desc limit 40`
    return { busy, others: rows.map(({ id }) => Number(id)) }
  } finally {
    await database.close()
  }
}

/** Deletes all but the first 250 posts of the busiest thread. */
async function cutBusiest(sql: Sql): Promise<number> {
  const [thread] = await sql<{ id: string }[]>`select id from thread order by comment_count + reply_count desc limit 1`
  const id = Number(thread?.id)
  await sql`delete from post where thread_id = ${id}
    and id not in (select id from post where thread_id = ${id} order by id limit ${POSTS})`
  const [counts] = await sql<{ comments: number; replies: number }[]>`
    select count(*) filter (where parent_id is null and id <> thread_id)::int as comments,
      count(parent_id)::int as replies from post where thread_id = ${id}`
  const { comments = 0, replies = 0 } = counts ?? {}
  if (comments + replies + 1 !== POSTS) throw new Error(`The busiest thread has ${comments + replies + 1} posts`)
  await sql`update thread set comment_count = ${comments}, reply_count = ${replies} where id = ${id}`
  return id
}

/**
 * Adds threads with three comments each, four of five on the measured board. They are older than all other threads, so
 * they do not change the measured pages.
 */
export async function growTo(sql: Sql, threads: number): Promise<void> {
  const [state] = await sql<{ count: number; oldest: string }[]>`
    select count(*)::int as count, min(last_activity)::text as oldest from thread`
  const { count = 0, oldest = '' } = state ?? {}
  for (let at = count; at < threads; at += BATCH) await addThreads(sql, at, Math.min(BATCH, threads - at), oldest)
}

async function addThreads(sql: Sql, from: number, count: number, oldest: string): Promise<void> {
  const each = 1 + COMMENTS
  const [taken] = await sql<{ first: string }[]>`
    select setval('post_number', nextval('post_number') + ${count * each}) - ${count * each} as first`
  const first = Number(taken?.first)
  const to = from + count - 1
  await sql`
    insert into thread (id, board_id, title, last_activity, comment_count)
    select ${first}::bigint + (n - ${from}::int) * ${each}::int,
      case when n % 5 = 0 then 'random' else ${BOARD}::text end,
      (${TITLES}::text[])[1 + n % ${TITLES.length}::int] || ' (' || n || ')',
      ${oldest}::timestamptz - n * interval '1 minute', ${COMMENTS}::int
    from generate_series(${from}::int, ${to}::int) n`
  await sql`
    insert into post (id, thread_id, author, content, created_at)
    select t.id + k, t.id, (array['Anonymous', 'gl1tch', 'ferrite', 'nullroute'])[1 + ((t.id + k) % 4)::int],
      case when k = 1 then '>>' || t.id || E'\n' else '' end
        || (${TEXTS}::text[])[1 + ((t.id * 7 + k * 13) % ${TEXTS.length}::int)::int]
        || ' ' || (${TEXTS}::text[])[1 + ((t.id * 11 + k * 5) % ${TEXTS.length}::int)::int],
      t.last_activity - (${COMMENTS}::int - k) * interval '10 seconds'
    from thread t, generate_series(0, ${COMMENTS}::int) k
    where t.id between ${first}::bigint and ${first + count * each - 1}::bigint`
  await sql`
    insert into quote (from_id, to_id) select id + 1, id from thread
    where id between ${first}::bigint and ${first + count * each - 1}::bigint`
}

/** Returns the sample texts that contain no placeholder. */
const plain = (texts: readonly string[]) => texts.filter((text) => !text.includes('{'))
const TEXTS = plain(topics.flatMap(({ comments, details }) => [...comments, ...details]))
const TITLES = plain(topics.flatMap(({ threads }) => threads.map(([title]) => title)))
const SOURCES = ['lwn.net', 'heise.de', 'hackaday.com', 'phoronix.com', 'undeadly.org']
