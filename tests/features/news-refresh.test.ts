import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { listFeeds } from '#server/features/news/feeds.ts'
import { rss } from '#tests/helpers/feedServer.ts'
import { afterNoon, DAY, HOUR, MINUTE, type NewsSite, NOON, startNewsSite } from '#tests/helpers/newsSite.ts'

const SUCCESS = { failures: 0, failure: null, checkedAt: NOON }
const body = rss([{ link: 'https://site.example/1', date: afterNoon(-HOUR) }], { link: 'https://site.example/' })

let news: NewsSite
beforeAll(async () => {
  news = await startNewsSite(['/feed'])
})
afterAll(() => news.close())
afterEach(() => news.clear())

/** Returns the minutes until the next fetch of the feed. */
const wait = async (since = NOON) => ((await news.feed('/feed')).nextAt.getTime() - since.getTime()) / MINUTE
const within = (least: number, spread: number) => [least, least * (1 + spread)] as const
async function expectWait([least, most]: readonly [number, number], since = NOON) {
  const minutes = await wait(since)
  expect(minutes).toBeGreaterThanOrEqual(least)
  expect(minutes).toBeLessThanOrEqual(most)
}
/** Refreshes the feed when it is due. */
async function refreshWhenDue(): Promise<Date> {
  const { nextAt } = await news.feed('/feed')
  news.site.setNow(nextAt)
  await news.refreshFeeds()
  return nextAt
}

describe('a working feed', () => {
  test('is fetched with a user agent, and again when it is due', async () => {
    news.server.set('/feed', { body })
    await news.refreshFeeds()
    expect(news.server.requests[0]?.headers).toMatchObject({
      'user-agent': 'dtp-site news reader (+https://dtp.example/)',
      accept: expect.stringContaining('application/atom+xml'),
    })
    expect(await news.feed('/feed')).toMatchObject(SUCCESS)
    await expectWait(within(30, 0.05))
    news.site.setNow(afterNoon(30 * MINUTE - 1))
    await news.refreshFeeds()
    expect(news.server.count('/feed')).toBe(1)
    await refreshWhenDue()
    expect(news.server.count('/feed')).toBe(2)
    expect(await news.articles()).toHaveLength(1)
  })

  test('is fetched with a conditional request after its ttl', async () => {
    const lastModified = 'Sat, 21 Nov 2026 10:00:00 GMT'
    const body = rss([{ link: 'https://site.example/1', date: afterNoon(-HOUR) }], { ttl: 120 })
    news.server.set('/feed', { body, etag: '"v1"', lastModified })
    await news.refreshFeeds()
    await expectWait(within(120, 0.05))
    const at = await refreshWhenDue()
    const [first, second] = news.server.requests
    expect(first?.headers).not.toHaveProperty('if-none-match')
    expect(second?.headers).toMatchObject({ 'if-none-match': '"v1"', 'if-modified-since': lastModified })
    expect(await news.feed('/feed')).toMatchObject({ ...SUCCESS, checkedAt: at, etag: '"v1"', lastModified })
    await expectWait(within(30, 0.05), at)
    expect(await news.articles()).toHaveLength(1)
  })

  test('stores no validators of an unreadable response, or that cannot be sent back', async () => {
    news.server.set('/feed', { body, etag: '"v1"' })
    await news.refreshFeeds()
    news.server.set('/feed', { body: '<html>Please log in</html>', headers: { etag: '"portal"' } })
    await refreshWhenDue()
    expect(await news.feed('/feed')).toMatchObject({ etag: '"v1"', failures: 1 })
    news.server.set('/feed', { body, headers: { etag: `"${'x'.repeat(600)}"`, 'last-modified': 'caf\u00e9' } })
    await refreshWhenDue()
    expect(await news.feed('/feed')).toMatchObject({ etag: null, lastModified: null, failures: 0 })
  })

  test('may be a compressed file that no header names', async () => {
    news.server.set('/feed', { body: gzipSync(body), type: 'application/octet-stream' })
    await news.refreshFeeds()
    expect(await news.articles()).toHaveLength(1)
    for (const broken of [gzipSync(body).subarray(0, 50), gzipSync(Buffer.alloc(32 * 1024 * 1024))]) {
      news.server.set('/feed', { body: broken, type: 'application/gzip' })
      await refreshWhenDue()
      expect((await news.feed('/feed')).failure).toMatch(/^could not be read/)
    }
  })

  test('is found after redirects', async () => {
    news.server.set('/feed', { redirect: '/new' })
    news.server.set('/new', { redirect: `${news.server.url.replace('127.0.0.1', 'localhost')}/newer` })
    news.server.set('/newer', { body })
    await news.refreshFeeds()
    expect(await news.articles()).toHaveLength(1)
  })

  test.each([
    ['a permanent redirect', 301, 302, '/new'],
    ['two permanent redirects', 308, 301, '/newer'],
    ['a temporary redirect first', 302, 301, null],
  ] as const)('has the new URL in the list of admins after %s', async (_name, first, second, movedTo) => {
    const listed = async () => (await listFeeds(news.site.app.services)).map(({ movedTo }) => movedTo)
    news.server.set('/feed', { redirect: '/new', status: first })
    news.server.set('/new', { redirect: '/newer', status: second })
    news.server.set('/newer', { body, etag: '"v1"' })
    await news.refreshFeeds()
    const url = movedTo && news.urlOf(movedTo)
    expect(await listed()).toEqual([url])
    // The answer is now a 304.
    await refreshWhenDue()
    expect(await listed()).toEqual([url])
    news.server.set('/feed', { body })
    await refreshWhenDue()
    expect(await listed()).toEqual([null])
  })
})

describe('a failing feed', () => {
  test.each([
    ['status 404', { status: 404 }, 'answered 404'],
    ['status 500', { status: 500 }, 'answered 500'],
    ['status 204', { status: 204 }, 'answered 204'],
    ['status 304 to an unconditional request', { status: 304 }, 'answered 304'],
    ['a redirect loop', { redirect: '/feed' }, 'redirected too often, or nowhere'],
    ['a redirect to ftp', { redirect: 'ftp://site.example/feed' }, 'neither http nor https'],
    ['no response', 'silence', 'no answer in time'],
    ['a slow response', 'drip', 'no answer in time'],
    ['an endless response', 'endless', 'too large'],
    ['a compression bomb', 'bomb', 'too large'],
    ['a lost connection', 'death', 'the connection was lost'],
    ['a web page', 'html', expect.stringMatching(/^.{4,300}$/)],
    ['an empty response', { body: '' }, expect.stringMatching(/^.{4,300}$/)],
    ['an unknown content encoding', { body, headers: { 'content-encoding': 'zstd' } }, /unknown content encoding/],
  ] as const)('is recorded: %s', async (_name, behaviour, failure) => {
    news.server.set('/feed', behaviour)
    const started = performance.now()
    await news.refreshFeeds({ answerMs: behaviour === 'silence' || behaviour === 'drip' ? 150 : 30_000 })
    expect(performance.now() - started).toBeLessThan(20_000)
    const expected = failure instanceof RegExp ? expect.stringMatching(failure) : failure
    expect(await news.feed('/feed')).toMatchObject({ failures: 1, failure: expected, checkedAt: NOON })
    await expectWait(within(30, 0.25))
    expect(await news.articles()).toEqual([])
  })

  test('is fetched with exponential backoff until it succeeds', async () => {
    news.server.set('/feed', { status: 500 })
    await news.refreshFeeds()
    let at = NOON
    for (const minutes of [30, 60, 120, 240, 480, 960]) {
      await expectWait(within(minutes, 0.25), at)
      at = await refreshWhenDue()
    }
    await expectWait([1440, 1440], at)
    expect(await news.feed('/feed')).toMatchObject({ failures: 7, failure: 'answered 500' })
    news.server.set('/feed', { body })
    at = await refreshWhenDue()
    expect(await news.feed('/feed')).toMatchObject({ ...SUCCESS, checkedAt: at })
    await expectWait(within(30, 0.05), at)
  })

  test.each([
    ['seconds', 429, '7200'],
    ['a date', 429, afterNoon(2 * HOUR).toUTCString()],
    ['seconds', 503, '7200'],
  ])('is fetched after Retry-After: %s with status %i', async (_name, status, header) => {
    news.server.set('/feed', { status, headers: { 'retry-after': header } })
    await news.refreshFeeds()
    await expectWait(within(120, 0.05))
    news.site.setNow(afterNoon(2 * HOUR - 1))
    await news.refreshFeeds()
    expect(news.server.count('/feed')).toBe(1)
    await refreshWhenDue()
    expect(news.server.count('/feed')).toBe(2)
  })

  test('is fetched once a day after status 410', async () => {
    news.server.set('/feed', { status: 410 })
    await news.refreshFeeds()
    expect(await wait()).toBe(DAY / MINUTE)
  })

  test('is not recorded as failed when a shutdown aborts the fetch', async () => {
    for (const behaviour of ['silence', 'drip'] as const) {
      news.server.set('/feed', behaviour)
      const closing = new AbortController()
      const ended = news.refreshFeeds({ signal: closing.signal, answerMs: 30_000 })
      await expect.poll(() => news.server.count('/feed')).toBeGreaterThan(0)
      const started = performance.now()
      closing.abort()
      await ended
      // Without the abort, the refresh would take thirty seconds.
      expect(performance.now() - started).toBeLessThan(20_000)
      expect(await news.feed('/feed')).toMatchObject({ failures: 0, failure: null, checkedAt: null, nextAt: NOON })
      news.server.requests.splice(0)
    }
  })
})
