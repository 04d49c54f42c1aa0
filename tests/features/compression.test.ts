import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BOARDS, callApi, createBoard, postThread } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const TEXT = 'the same words again and again '.repeat(100)
let site: TestSite
let admin: string
let threads: string
let typed: string
beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
  const boardId = await createBoard(site, 'Long', admin)
  const threadId = (await postThread(site, boardId, { content: TEXT })).body.thread.id
  threads = `${BOARDS}/${boardId}/threads`
  const input = JSON.stringify({ json: { boardId, threadId: String(threadId) } })
  typed = `/trpc/board.thread?input=${encodeURIComponent(input)}`
})
afterAll(() => site.close())

const get = (url: string, headers: Record<string, string> = {}) =>
  site.app.inject({ url, headers: { 'accept-encoding': 'gzip, br', ...headers } })

describe.each([
  ['a documented call', () => threads],
  ['a typed call', () => typed],
])('the response to %s', (_name, path) => {
  test('is compressed as the client accepts it', async () => {
    const plain = await get(path(), { 'accept-encoding': 'identity' })
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.headers.vary).toMatch(/accept-encoding/)
    for (const [encoding, decompress] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const { headers, rawPayload } = await get(path(), { 'accept-encoding': encoding })
      expect(headers).toMatchObject({
        'content-encoding': encoding,
        'content-length': String(rawPayload.length),
        vary: expect.stringMatching(/accept-encoding/),
      })
      expect(decompress(rawPayload).toString()).toBe(plain.body)
      expect(rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
    }
  })

  test('is not compressed for callers with a token', async () => {
    const { headers, statusCode } = await get(path(), { authorization: `Bearer ${admin}` })
    expect([statusCode, headers['content-encoding']]).toEqual([200, undefined])
  })
})

test('compresses pastes, but not the response to a write', async () => {
  const { body } = await callApi(site, 'POST', '/api/paste', { json: { content: TEXT, expiryHours: 1 } })
  const path = `/api${new URL(body.url).pathname}`
  expect((await get(path)).headers['content-encoding']).toBe('br')
  const read = await site.app.inject({
    method: 'POST',
    url: `${path}/read`,
    payload: {},
    headers: { 'accept-encoding': 'br' },
  })
  expect(read.body).toContain(TEXT)
  expect(read.headers['content-encoding']).toBeUndefined()
})

test.each([
  ['small responses', 'GET', '/api/dtpchan/boards'],
  ['HEAD', 'HEAD', ''],
] as const)('does not compress %s', async (_name, method, path) => {
  const { headers } = await site.app.inject({ method, url: path || threads, headers: { 'accept-encoding': 'br' } })
  expect(headers['content-encoding']).toBeUndefined()
})
