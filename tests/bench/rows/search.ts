import type { DatabaseHandle } from '#db/client.server.ts'
import { encode } from '#tests/bench/connection.ts'
import { newVisitor } from '#tests/bench/forms.ts'
import { measure, repeatAll } from '#tests/bench/load.ts'
import { createLoad, type Run, toColumns } from '#tests/bench/run.ts'
import { BOARD } from '#tests/bench/seed.ts'
import type { Server } from '#tests/bench/servers.ts'

export const SEARCH = 'search'
const POSTS = 1_000_000
const POSTS_PER_THREAD = 50
/** Different words, and words per post. The nth word is in about 1/n of the posts, as in natural text (Zipf's law). */
const WORDS = 50_000
const WORDS_PER_POST = 40
const FILE = { name: 'a.webp', width: 320, height: 200 }
const IMAGE = { ...FILE, bytes: 1, animated: false, preview: FILE, display: FILE }
/** Limits posts per statement, to stay within the statement timeout. */
const BATCH = 5_000

/** Searches by name. `w1` is in more than nine of ten posts, `w10` in 30 %, `w180` in 2 %, `w40000` in 1 of 10,000. */
export const SEARCHES: Record<string, string> = {
  'a word in nearly all posts': 'q=w1',
  'a word in 30 % of the posts': 'q=w10',
  'a word in 30 % of the posts, newest first': 'q=w10&sort=date',
  'a word in 2 % of the posts': 'q=w180',
  'a rare word': 'q=w40000',
  'a word that no post has': 'q=nowhere',
  'two common words': 'q=w1+w3',
  'three words': 'q=w10+w30+w90',
  'a common phrase': 'q=%22w1+w2%22',
  'a common word without another': 'q=w10+-w1',
  'a nick': 'q=nick%3Anick7+w3',
  'a common word on a board': `q=w10&board=${BOARD}`,
  'a common word with a picture': 'q=w10&images=true',
  'a common word in a year': 'q=w10&from=2015-03-15&to=2016-02-10',
}

/** Measures searches in a million posts: one after the other, and together. */
export async function searches(run: Run, site: Server): Promise<void> {
  const posts = run.quick ? POSTS / 10 : POSTS
  const database = await run.installation.open()
  try {
    const start = performance.now()
    await fill(database.sql, posts)
    const seconds = (performance.now() - start) / 1000
    const [size] = await database.sql<{ mb: number }[]>`
      select pg_total_relation_size('post_search') / 1e6 as mb`
    run.add(SEARCH, `filling ${posts.toLocaleString('en')} posts`, { s: seconds, 'index MB': Number(size?.mb) })
  } finally {
    await database.close()
  }
  const load = createLoad(run, { connections: 1 })
  const requests = Object.values(SEARCHES).map((query) => request(`/api/dtpchan/search?${query}`))
  const names = Object.keys(SEARCHES)
  for (const [index, one] of requests.entries()) {
    run.add(SEARCH, names[index] ?? '', toColumns(await measure(site, load, repeatAll([one]))))
  }
  run.add(SEARCH, 'all of them, mixed', toColumns(await measure(site, load, repeatAll(requests))))
  const pages = Object.values(SEARCHES).map((query) => request(`/search?${query}`))
  run.add(SEARCH, 'all of them, pages', toColumns(await measure(site, load, repeatAll(pages))))
}

const request = (path: string) =>
  encode({ path, headers: { ...newVisitor(), accept: 'text/html', 'accept-encoding': 'identity' } })

/** Adds threads of fifty posts. Words are chosen by Zipf's law: the logarithm of their rank is evenly distributed. */
export async function fill(sql: DatabaseHandle['sql'], posts: number): Promise<void> {
  const [taken] = await sql<{ first: string }[]>`
    select setval('post_number', nextval('post_number') + ${posts}) - ${posts} as first`
  const first = Number(taken?.first)
  for (let at = 0; at < posts; at += BATCH) {
    await sql`
      insert into thread (id, board_id, title, last_activity, comment_count)
      select n, case when n % 10 = 0 then 'random' else ${BOARD}::text end, 'w' || (1 + n % 1000)::text, now(), ${POSTS_PER_THREAD - 1}::int
      from generate_series(${first + at}::bigint, ${first + at + BATCH - 1}::bigint, ${POSTS_PER_THREAD}::bigint) n`
    await sql`
      insert into post (id, thread_id, author, content, image, created_at)
      select n, n - (n - ${first}::bigint) % ${POSTS_PER_THREAD}::int, 'nick' || n % 500,
        (select string_agg('w' || floor(exp(random() * ln(${WORDS}::int)) + (n + word) * 0)::int, ' ')
          from generate_series(1, ${WORDS_PER_POST}::int) word),
        case when n % 20 = 0 then ${JSON.stringify(IMAGE)}::jsonb end,
        timestamptz '2010-01-01' + (n - ${first}::bigint) * interval '8 minutes'
      from generate_series(${first + at}::bigint, ${first + at + BATCH - 1}::bigint) n`
  }
  await sql`vacuum analyze`
  await sql`checkpoint`
}
