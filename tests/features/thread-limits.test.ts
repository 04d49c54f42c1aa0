import { readFile } from 'node:fs/promises'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { thread } from '#db/schema/index.ts'
import { calculateCost } from '#server/features/board/write/threadLimits.ts'
import { boardLimits } from '#src/contract/board.ts'
import { BOARDS, callApi, createBoard, postComment, postThread, readThread } from '#tests/helpers/apiCalls.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const FULL = [409, 'This thread is full']

let site: TestSite
let admin: string
let boardId: string
beforeAll(async () => {
  site = await startSite({ THREAD_BYTE_LIMIT: '100kB', THREAD_NODE_LIMIT: '2000', LIST_BYTE_LIMIT: '150kB' })
  admin = await site.createToken('admin@example.org', 'admin')
  boardId = await createBoard(site, 'Limits', admin)
})
afterAll(() => site.close())

const open = async (content = 'x') => (await postThread(site, boardId, { content })).body.thread.id as number
const outcome = ({ status, body }: Awaited<ReturnType<typeof callApi>>) => [status, body.error]
const counted = async (threadId: number) => {
  const { byteCount, nodeCount } = thread
  const [row] = await site.app.services.db.select({ byteCount, nodeCount }).from(thread).where(eq(thread.id, threadId))
  return row
}
/** Posts the same comment until the server refuses one. Returns the number of accepted comments. */
async function fill(threadId: number, content: string): Promise<number> {
  for (let posts = 0; ; posts++) {
    const answer = await postComment(site, { boardId, threadId }, { content })
    if (answer.status === 200) continue
    expect(outcome(answer)).toEqual(FULL)
    return posts
  }
}

test.each([
  ['emoji', '😀', 20_000, 1],
  ['quotation marks, which grow in HTML', '"', 10_000, 1],
  ['spoilers', '[spoiler]a[/spoiler]', 250, 1],
  ['line breaks', 'a\n', 900, 2],
])('limits the size of a thread full of %s', async (_name, piece, times, room) => {
  const threadId = await open()
  const content = piece.repeat(times)
  expect(await fill(threadId, content)).toBe(room)
  expect((await postComment(site, { boardId, threadId }, { content: 'short' })).status).toBe(200)
})

test('rejects replies, quotes and images in a full thread', async () => {
  const threadId = await open()
  const commentId = (await postComment(site, { boardId, threadId })).body.comment.id
  await fill(threadId, 'y'.repeat(20_000))
  const content = 'y'.repeat(20_000)
  const image = new Blob([await stillImage().png().toBuffer()], { type: 'image/png' })
  expect(outcome(await postComment(site, { boardId, threadId, commentId }, { content }))).toEqual(FULL)
  expect(
    outcome(await postComment(site, { boardId, threadId }, { content: `>>${threadId} ${content.slice(20)}` })),
  ).toEqual(FULL)
  expect(outcome(await postComment(site, { boardId, threadId }, { content, image }))).toEqual(FULL)
})

test('reports a missing thread or comment rather than a full one', async () => {
  const threadId = await open()
  await fill(threadId, 'y'.repeat(20_000))
  const content = 'y'.repeat(20_000)
  const missing = { boardId, threadId, commentId: 999_999_999 }
  expect(outcome(await postComment(site, missing, { content }))).toEqual([404, 'Comment not found'])
  await callApi(site, 'DELETE', `${BOARDS}/${boardId}/threads/${threadId}`, { token: admin })
  expect(outcome(await postComment(site, { boardId, threadId }, { content }))).toEqual([404, 'Thread not found'])
})

test('frees the size of a deleted comment and its replies', async () => {
  const threadId = await open('opening & text')
  const links = JSON.stringify(['https://example.org/a'])
  const before = await counted(threadId)
  const commentId = (await postComment(site, { boardId, threadId }, { content: '>one\n"two"', links })).body.comment.id
  await postComment(site, { boardId, threadId, commentId }, { content: '[spoiler]three[/spoiler]' })
  const own = { author: 'ferrite', content: '>one\n"two"', links: ['https://example.org/a'] }
  const replys = { author: 'ferrite', content: '[spoiler]three[/spoiler]', links: [] }
  const costs = [calculateCost(own), calculateCost(replys)]
  expect(await counted(threadId)).toEqual({
    byteCount: Number(before?.byteCount) + costs.reduce((sum, { bytes }) => sum + bytes, 0),
    nodeCount: Number(before?.nodeCount) + costs.reduce((sum, { nodes }) => sum + nodes, 0),
  })
  await callApi(site, 'DELETE', `${BOARDS}/${boardId}/threads/${threadId}/comments/${commentId}`, { token: admin })
  expect(await counted(threadId)).toEqual(before)
})

test('computes the size of existing threads in the migration', async () => {
  const content = `<b>"it's" & that</b>\n>quote\nhttp://a.de [spoiler]b[/spoiler] ${'😀 >>1 '.repeat(500)}`
  const threadId = await open(content)
  await postComment(site, { boardId, threadId }, { content, links: JSON.stringify(['https://example.org/a']) })
  const exact = await counted(threadId)
  await site.app.services.db.update(thread).set({ byteCount: 0, nodeCount: 0 })
  const migration = await readFile(new URL('../../db/migrations/0004_thread_costs.sql', import.meta.url), 'utf8')
  await site.app.services.db.execute(sql.raw(migration.slice(migration.indexOf('UPDATE'))))
  const estimate = await counted(threadId)
  expect(Math.abs(Number(estimate?.byteCount) - Number(exact?.byteCount))).toBeLessThan(50)
  expect(Math.abs(Number(estimate?.nodeCount) - Number(exact?.nodeCount))).toBeLessThan(50)
})

test('accepts no more of many simultaneous posts than fit', async () => {
  const threadId = await open()
  const content = 'z'.repeat(15_000)
  const answers = await Promise.all(
    Array.from({ length: 9 }, () => postComment(site, { boardId, threadId }, { content })),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(6)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(3)
})

test('lists only the first posts that quote a post', async () => {
  const { db } = site.app.services
  const target = await open()
  const elsewhere = await open()
  await db.execute(sql`insert into post (id, thread_id, author, content, created_at)
    select 5000000 + n, ${elsewhere}, 'a', 'b', now() from generate_series(1, 3000) n`)
  await db.execute(
    sql`insert into quote (from_id, to_id) select 5000000 + n, ${target} from generate_series(1, 3000) n`,
  )
  const { quotedBy } = (await readThread(site, boardId, target)).body.thread
  expect(quotedBy).toHaveLength(boardLimits.quotedBy)
  expect(quotedBy[0]).toEqual({ id: 5_000_001, threadId: elsewhere, boardId })
  expect(quotedBy.at(-1).id).toBe(5_000_000 + boardLimits.quotedBy)
  await db.execute(sql`delete from post where id > 5000000`)
})
