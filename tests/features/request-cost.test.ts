import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

let site: TestSite
beforeAll(async () => {
  site = await startSite({ RATE_LIMIT: 'on', REQUEST_COST_PER_NETWORK: '20/1h', TRUST_PROXY: '127.0.0.1' })
})
afterAll(() => site.close())

let hosts = 0
/** Returns a function that sends requests as a visitor from a new network. */
function visitor() {
  const address = `198.51.100.${++hosts}`
  return (url: string, method: 'GET' | 'POST' = 'GET', headers: Record<string, string> = {}) =>
    site.app.inject({
      method,
      url,
      headers: { ...headers, 'x-forwarded-for': address },
      ...(method === 'POST' && { payload: {} }),
    })
}
/** Counts responses before the first 429. */
async function answeredOf(ask: () => Promise<{ statusCode: number }>): Promise<number> {
  for (let number = 0; number < 50; number++) if ((await ask()).statusCode === 429) return number
  return Number.POSITIVE_INFINITY
}
const TEXT = expect.stringMatching(/^Too many requests from your network\. Please try again in \d+ min\.$/)

describe('request cost of a network', () => {
  test('counts calls under /api', async () => {
    const ask = visitor()
    expect(await answeredOf(() => ask('/api/dtpchan/boards'))).toBe(20)
    const { headers, ...refused } = await ask('/api/dtpchan/boards')
    expect(refused.json()).toEqual({ success: false, error: TEXT })
    expect(Number(headers['retry-after'])).toBeGreaterThan(60)
    expect((await visitor()('/api/dtpchan/boards')).statusCode).toBe(200)
  })

  test.each(['batch=1', 'batch=1&batch=0'])('counts each call of a batch: %s', async (query) => {
    const ask = visitor()
    const batch = `/trpc/board.list,board.list,board.list,board.list,board.list?${query}&input=%7B%7D`
    expect(await answeredOf(() => ask(batch))).toBe(4)
    const refused = await ask(batch)
    expect(refused.headers['retry-after']).toBeDefined()
    expect(refused.json().error.json).toMatchObject({ message: TEXT, data: { httpStatus: 429 } })
  })

  test('counts threads, thread lists and pastes more than other calls', async () => {
    for (const url of [
      '/api/dtpchan/boards/none/threads',
      '/api/dtpchan/boards/none/threads/1',
      '/api/paste/none',
      '/trpc/board.threads?input=%7B%22json%22%3A%7B%22boardId%22%3A%22none%22%7D%7D',
    ]) {
      const ask = visitor()
      expect([url, await answeredOf(() => ask(url))]).toEqual([url, 1])
    }
  })

  test('counts feeds that are not cached', async () => {
    const ask = visitor()
    expect(await answeredOf(() => ask(`/dtpchan/board/none-${Math.random()}/feed.atom`))).toBe(6)
  })

  test('counts texts that are rendered again because of a write', async () => {
    const ask = visitor()
    await ask('/boards.json')
    expect(await answeredOf(() => ask('/boards.json?wrote=1'))).toBe(5)
  })

  test.each([
    ['missing images', '/dtpchan/uploads/0123456789abcdef01234567.png'],
    ['titles of sources', '/admin/metadata?mode=updinfo&song=x'],
  ])('counts %s', async (_what, url) => {
    const ask = visitor()
    expect(await answeredOf(() => ask(url))).toBe(20)
  })

  test.each(['/api/radio/station/1/streamer/1/broadcast/1/download', '/archive/recording/1/1/1.mp3'])(
    'counts downloads of recordings: %s',
    async (url) => {
      const ask = visitor()
      expect(await answeredOf(() => ask(url))).toBe(20)
    },
  )

  test('counts event connections', async () => {
    const ask = visitor()
    for (let spent = 0; spent < 20; spent++) await ask('/api/dtpchan/boards')
    const { body } = await ask('/trpc/site.events?input=%7B%22json%22%3A%7B%22topics%22%3A%5B%22boards%22%5D%7D%7D')
    expect(body).toContain('serialized-error')
    expect(body).toContain('"httpStatus":429')
  })
})

test('does not count cached responses', async () => {
  const ask = visitor()
  const statuses = new Set<number>()
  for (let number = 0; number < 60; number++) statuses.add((await ask('/today-in-tech/feed.atom')).statusCode)
  for (let number = 0; number < 60; number++) statuses.add((await ask('/healthz')).statusCode)
  expect(statuses).toEqual(new Set([200]))
})
