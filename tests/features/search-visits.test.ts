import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SearchHit, searchLimits } from '#src/contract/search.ts'
import { callApi, createBoard, postThread } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

/** More than a search visits at once if all match. */
const POSTS = 6000
const FIRST = 100
const DAYS = 900

let site: TestSite
beforeAll(async () => {
  site = await startSite()
  const boardId = await createBoard(site, 'Old', await site.createToken('admin@example.org', 'admin'))
  const threadId = (await postThread(site, boardId)).body.thread.id as number
  // Each other post is older than all before it, as if it was imported.
  await site.app.services.db.execute(sql`
    insert into post (id, thread_id, author, content, created_at)
    select ${FIRST}::int + n, ${threadId}::bigint, 'nick' || n % 7,
      concat_ws(' ', 'common', case when n % 3 = 0 then 'third' end, case when n % 400 = 0 then 'rare' end),
      timestamptz '2024-06-15 12:00Z' + (1 - n % 2 * 2) * n * ${DAYS}::int / ${POSTS}::int * interval '1 day'
    from generate_series(1, ${POSTS}::int) n`)
})
afterAll(() => site.close())

type Fields = Record<string, string>

async function search(fields: Fields) {
  const { status, body } = await callApi(site, 'GET', `/api/dtpchan/search?${new URLSearchParams(fields)}`)
  expect(status).toBe(200)
  return body as { hits: SearchHit[]; nextCursor: string | null; isComplete: boolean }
}

/** Returns the ids of the hits on all pages. */
async function searchAll(fields: Fields): Promise<number[]> {
  const ids: number[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await search({ ...fields, cursor })
    ids.push(...page.hits.map(({ postId }) => postId))
    cursor = page.nextCursor
  }
  return ids
}

/** Finds the posts with a word by reading all posts, the newest number first. */
async function readAll(word: string, from = '1990-01-01', to = '2100-01-01'): Promise<number[]> {
  const rows = await site.app.services.db.execute<{ id: string }>(sql`
    select id from post where id > ${FIRST}::int and ${word}::text = any(string_to_array(content, ' '))
      and created_at >= ${from}::timestamptz and created_at < ${to}::timestamptz + interval '1 day'
    order by id desc`)
  return rows.map(({ id }) => Number(id))
}

const descending = (ids: number[]) => ids.toSorted((a, b) => b - a)

test.each<[word: string, from?: string, to?: string]>([
  ['rare'],
  ['rare', undefined, '2023-12-31'],
  ['rare', '2024-03-10', '2025-02-03'],
  ['third', '2024-06-10', '2024-06-20'],
  ['common', '2022-02-03', '2022-03-04'],
  ['common', '2024-06-15', '2024-06-15'],
  ['common', '2030-01-01', '2030-12-31'],
])('finds all posts with "%s" from %s to %s, in any order', async (word, from, to) => {
  const fields = { q: word, ...(from && { from }), ...(to && { to }) }
  const expected = await readAll(word, from, to)
  expect(await searchAll({ ...fields, sort: 'date' })).toEqual(expected)
  expect(descending(await searchAll(fields))).toEqual(expected)
})

test('by relevance, a common word is ranked among its newest posts of the period', async () => {
  const all = await search({ q: 'common' })
  expect(all.isComplete).toBe(false)
  const newest = (await readAll('common')).slice(0, searchLimits.ranked)
  expect(newest).toEqual(expect.arrayContaining(all.hits.map(({ postId }) => postId)))

  const fields = { q: 'common', from: '2022-01-01', to: '2024-03-31' }
  const past = await searchAll(fields)
  expect(past).toHaveLength(searchLimits.ranked)
  expect(await readAll('common', fields.from, fields.to)).toEqual(expect.arrayContaining(past))
  // Its last fifteen months have enough posts.
  expect(await readAll('common', '2023-01-01', fields.to)).toEqual(expect.arrayContaining(past))
})

test.each([
  ['date', '0'],
  ['relevance', '0-0-0'],
])('by %s, nothing comes after the first post', async (sort, cursor) => {
  expect(await search({ q: 'common', sort, cursor })).toMatchObject({ hits: [], nextCursor: null })
})
