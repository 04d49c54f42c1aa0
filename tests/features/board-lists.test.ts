import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boardLimits } from '#src/contract/board.ts'
import type { ThreadView } from '#src/contract/thread.ts'
import { BOARDS, callApi, createBoard, postComment, postThread, readBoard } from '#tests/helpers/apiCalls.ts'
import { someOf } from '#tests/helpers/depth.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const LIST_BYTES = 300_000

let site: TestSite
let admin: string
beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
})
afterAll(() => site.close())

const get = (path: string, headers: Record<string, string> = {}) =>
  site.app.inject({ method: 'GET', url: path, headers })
const dataOf = (boardId: string) => `/dtpchan/board/${boardId}/page.en.json`
const threadsOf = async (boardId: string, cursor?: string) =>
  (await callApi(site, 'GET', `${BOARDS}/${boardId}/threads${cursor ? `?cursor=${cursor}` : ''}`)).body as {
    threads: ThreadView[]
    nextCursor: string | null
  }

/** Adds threads with five comments each to a board. All posts have the same text. */
async function addThreads(boardId: string, count: number, content: string): Promise<void> {
  const { db } = site.app.services
  await db.execute(sql`
    with opened as (
      insert into thread (id, board_id, title, last_activity, comment_count)
      select nextval('post_number'), ${boardId}, 'Long', now() - n * interval '1 minute', 5
      from generate_series(1, ${count}::int) n returning id)
    insert into post (id, thread_id, author, content, created_at)
    select case when n = 0 then id else nextval('post_number') end, id, 'me', ${content}, now()
    from opened, generate_series(0, 5) n`)
}

test('sends a board page only the fields it shows', async () => {
  const boardId = await createBoard(site, 'Shown', admin)
  const image = new File([await stillImage(1200, 900).png().toBuffer()], 'x.png', { type: 'image/png' })
  const threadId = (await postThread(site, boardId, { content: 'o'.repeat(20_000), image })).body.thread.id
  await postComment(site, { boardId, threadId }, { content: 'first' })
  await postComment(site, { boardId, threadId }, { content: 'n'.repeat(5000) })
  const plain = (await postThread(site, boardId, { content: '[spoiler]all of it[/spoiler]' })).body.thread.id
  const { threads, nextCursor } = await readBoard(site, boardId)
  expect(nextCursor).toBeNull()
  expect(threads).toMatchObject([
    { id: plain, preview: '[spoiler]', picture: null, newest: null },
    {
      id: threadId,
      commentCount: 2,
      preview: `${'o'.repeat(200)}…`,
      picture: { width: 1200, height: 900 },
      newest: { author: 'ferrite', preview: `${'n'.repeat(100)}…` },
    },
  ])
  const { html, count } = (await get(dataOf(boardId))).json()
  expect(count).toBe(2)
  expect(html).toContain(`<p class=excerpt>${'o'.repeat(200)}…</p>`)
  expect(html.length).toBeLessThan(4000)
})

test('caches and compresses the JSON of a board page, and renews it after each post', async () => {
  const boardId = await createBoard(site, 'Kept', admin)
  const threadId = (await postThread(site, boardId)).body.thread.id
  const first = await get(dataOf(boardId))
  expect(first.headers).toMatchObject({ 'cache-control': 'public, no-cache', 'x-robots-tag': 'noindex' })
  const packed = await get(dataOf(boardId), { 'accept-encoding': 'br' })
  expect(packed.headers['content-encoding']).toBe('br')
  expect((await get(dataOf(boardId), { 'if-none-match': String(first.headers.etag) })).statusCode).toBe(304)
  await postComment(site, { boardId, threadId })
  const next = await get(dataOf(boardId))
  expect(next.headers.etag).not.toBe(first.headers.etag)
  expect(next.json().html).toContain('<strong>1</strong> comment<')
  expect((await get(dataOf('missing'))).statusCode).toBe(404)
})

test.each(
  someOf([
    ['emoji', '😀'.repeat(20_000)],
    ['quotes', '>>1 '.repeat(5000)],
  ]),
)('shortens a list of threads full of %s and continues at its cursor', async (name, content) => {
  const boardId = await createBoard(site, `Long ${name}`, admin)
  await addThreads(boardId, 60, content)
  const seen: number[] = []
  let cursor: string | undefined
  do {
    const answer = await threadsOf(boardId, cursor)
    expect(JSON.stringify(answer).length).toBeLessThan(2 * LIST_BYTES)
    expect(answer.threads.length).toBeGreaterThan(0)
    seen.push(...answer.threads.map(({ id }) => id))
    cursor = answer.nextCursor ?? undefined
  } while (cursor)
  expect(new Set(seen).size).toBe(60)
  expect(seen).toHaveLength(60)
  const feed = await get(`/dtpchan/board/${boardId}/feed.atom`)
  expect(feed.statusCode).toBe(200)
  expect(feed.body.length).toBeLessThan(2 * LIST_BYTES)
  const page = await get(dataOf(boardId))
  expect(page.json().count).toBe(boardLimits.threadsPerPage)
  expect(page.body.length).toBeLessThan(150_000)
})

test('lists a full page of short threads with their comments', async () => {
  const boardId = await createBoard(site, 'Short', admin)
  await addThreads(boardId, 51, 'a comment as long as most are, and not longer than that')
  const { threads, nextCursor } = await threadsOf(boardId)
  expect(threads.map(({ comments }) => comments.length)).toEqual(Array(50).fill(5))
  expect(nextCursor).not.toBeNull()
})

test('limits the quotes in a list', async () => {
  const boardId = await createBoard(site, 'Quoted', admin)
  await addThreads(boardId, 50, 'short')
  await site.app.services.db.execute(sql`
    with own as (select post.id from post join thread on thread.id = thread_id where board_id = ${boardId})
    insert into quote (from_id, to_id) select a.id, b.id from own a, own b where a.id <> b.id and (a.id + b.id) % 6 = 0`)
  const { threads } = await threadsOf(boardId)
  const posts = threads.flatMap((thread) => [thread, ...thread.comments])
  const refs = posts.flatMap(({ quotes, quotedBy }) => [...quotes, ...quotedBy])
  expect(refs.length).toBeGreaterThan(500)
  expect(refs.length).toBeLessThanOrEqual(2000)
})
