import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { client } from '#src/lib/client.ts'
import { callApi } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

let site: TestSite
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.close())

const batch = (calls: number) =>
  callApi(site, 'GET', `/trpc/${Array(calls).fill('board.list').join(',')}?batch=1&input=%7B%7D`)

test('accepts a handful of calls in one request, not hundreds', async () => {
  expect((await batch(5)).status).toBe(200)
  const { status, body } = await batch(500)
  expect(status).toBe(400)
  expect(JSON.stringify(body)).not.toContain('board.list')
})

test.each([
  ['threads', 'board.thread', { boardId: 'none', threadId: '1' }],
  ['lists of threads', 'board.threads', { boardId: 'none' }],
  ['pages of boards', 'board.shownBoard', { boardId: 'none' }],
  ['pastes', 'paste.peek', { pasteId: 'none' }],
])('one request is answered one of several %s', async (_name, path, json) => {
  const input = encodeURIComponent(JSON.stringify({ 0: { json }, 1: { json } }))
  const { body } = await callApi(site, 'GET', `/trpc/${path},${path},board.list?batch=1&input=${input}`)
  const [first, second, other] = body as { error?: { json: { message: string } }; result?: unknown }[]
  expect(first?.error?.json.message).toMatch(/not found/i)
  expect(second?.error?.json.message).toBe('A request may ask for one thread, list of threads or paste at a time')
  expect(other?.result).toBeDefined()
})

test('two parts of a page may ask for lists at the same moment', async () => {
  vi.stubGlobal('fetch', async (url: string) => {
    const { payload, statusCode } = await site.app.inject(url)
    return new Response(payload, { status: statusCode })
  })
  const lists = await Promise.all([client.board.all.query({}), client.board.all.query({})])
  expect(lists.map(({ threads }) => threads)).toEqual([[], []])
})
