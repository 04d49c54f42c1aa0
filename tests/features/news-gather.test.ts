import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { gatherFeed } from '#server/features/news/refreshFeed.ts'
import { rss } from '#tests/helpers/feedServer.ts'
import { DAY, HOUR, later, MINUTE, type NewsSite, NOON, startNewsSite } from '#tests/helpers/news.ts'

const CALM = { failures: 0, failure: null, checkedAt: NOON }
const one = rss([{ link: 'https://site.example/1', date: later(-HOUR) }], { link: 'https://site.example/' })

let news: NewsSite
beforeAll(async () => {
  news = await startNewsSite(['/feed'])
})
afterAll(() => news.close())
afterEach(() => news.clear())

/** How long a feed is left alone now, in minutes. */
const wait = async (since = NOON) => ((await news.feed('/feed')).nextAt.getTime() - since.getTime()) / MINUTE
const within = (least: number, spread: number) => [least, least * (1 + spread)] as const
async function expectWait([least, most]: readonly [number, number], since = NOON) {
  const minutes = await wait(since)
  expect(minutes).toBeGreaterThanOrEqual(least)
  expect(minutes).toBeLessThanOrEqual(most)
}
/** Asks once more at the time the feed is due. */
async function gatherWhenDue(): Promise<Date> {
  const { nextAt } = await news.feed('/feed')
  news.site.setNow(nextAt)
  await news.gather()
  return nextAt
}

describe('a feed that answers', () => {
  test('is asked by name, at its time and not before', async () => {
    news.server.set('/feed', { body: one })
    await news.gather()
    expect(news.server.requests[0]?.headers).toMatchObject({
      'user-agent': 'dtp-site news reader (+https://dtp.example/)',
      accept: expect.stringContaining('application/atom+xml'),
    })
    expect(await news.feed('/feed')).toMatchObject(CALM)
    await expectWait(within(30, 0.05))
    news.site.setNow(later(30 * MINUTE - 1))
    await news.gather()
    expect(news.server.count('/feed')).toBe(1)
    await gatherWhenDue()
    expect(news.server.count('/feed')).toBe(2)
    expect(await news.articles()).toHaveLength(1)
  })

  test('is asked only for what is new, and left alone as long as it wants', async () => {
    const lastModified = 'Sat, 21 Nov 2026 10:00:00 GMT'
    const body = rss([{ link: 'https://site.example/1', date: later(-HOUR) }], { ttl: 120 })
    news.server.set('/feed', { body, etag: '"v1"', lastModified })
    await news.gather()
    await expectWait(within(120, 0.05))
    const at = await gatherWhenDue()
    const [first, second] = news.server.requests
    expect(first?.headers).not.toHaveProperty('if-none-match')
    expect(second?.headers).toMatchObject({ 'if-none-match': '"v1"', 'if-modified-since': lastModified })
    expect(await news.feed('/feed')).toMatchObject({ ...CALM, checkedAt: at, etag: '"v1"', lastModified })
    await expectWait(within(30, 0.05), at)
    expect(await news.articles()).toHaveLength(1)
  })

  test('keeps no tags of an answer that could not be read, nor such as cannot be sent back', async () => {
    news.server.set('/feed', { body: one, etag: '"v1"' })
    await news.gather()
    news.server.set('/feed', { body: '<html>Please log in</html>', headers: { etag: '"portal"' } })
    await gatherWhenDue()
    expect(await news.feed('/feed')).toMatchObject({ etag: '"v1"', failures: 1 })
    news.server.set('/feed', { body: one, headers: { etag: `"${'x'.repeat(600)}"`, 'last-modified': 'caf\u00e9' } })
    await gatherWhenDue()
    expect(await news.feed('/feed')).toMatchObject({ etag: null, lastModified: null, failures: 0 })
  })

  test('may have moved', async () => {
    news.server.set('/feed', { redirect: '/new' })
    news.server.set('/new', { redirect: `${news.server.url.replace('127.0.0.1', 'localhost')}/newer` })
    news.server.set('/newer', { body: one })
    await news.gather()
    expect(await news.articles()).toHaveLength(1)
  })

  test('is asked by one of many at a time', async () => {
    news.server.set('/feed', { body: one })
    news.server.delay = 50
    await news.gather({ signal: AbortSignal.abort() })
    const { services } = news.site.app
    const never = new AbortController().signal
    await Promise.all([1, 2, 3, 4].map(() => gatherFeed(services, news.at('/feed'), never, 5_000)))
    await Promise.all([news.gather(), news.gather()])
    news.server.delay = 0
    expect(news.server.count('/feed')).toBe(1)
    expect(await news.told()).toBe(1)
  })
})

describe('a feed that fails', () => {
  test.each([
    ['is not there', { status: 404 }, 'answered 404'],
    ['is broken', { status: 500 }, 'answered 500'],
    ['has nothing to say', { status: 204 }, 'answered 204'],
    ['has nothing new, though nobody asked that', { status: 304 }, 'answered 304'],
    ['goes round in circles', { redirect: '/feed' }, 'redirected too often, or nowhere'],
    ['leads nowhere', { redirect: 'ftp://site.example/feed' }, 'neither http nor https'],
    ['is silent', 'silence', 'no answer in time'],
    ['drips', 'drip', 'no answer in time'],
    ['never ends', 'endless', 'too large'],
    ['is a bomb', 'bomb', 'too large'],
    ['breaks off', 'death', 'the connection was lost'],
    ['is a page', 'html', expect.stringMatching(/^.{4,300}$/)],
    ['is empty', { body: '' }, expect.stringMatching(/^.{4,300}$/)],
    ['is packed in an unknown way', { body: one, headers: { 'content-encoding': 'zstd' } }, /packed/],
  ] as const)('because it %s', async (_name, behaviour, failure) => {
    news.server.set('/feed', behaviour)
    const started = performance.now()
    await news.gather({ answerMs: behaviour === 'silence' || behaviour === 'drip' ? 150 : 5_000 })
    expect(performance.now() - started).toBeLessThan(4_000)
    const expected = failure instanceof RegExp ? expect.stringMatching(failure) : failure
    expect(await news.feed('/feed')).toMatchObject({ failures: 1, failure: expected, checkedAt: NOON })
    await expectWait(within(30, 0.25))
    expect(await news.articles()).toEqual([])
  })

  test('is asked less and less often, and as before once it answers', async () => {
    news.server.set('/feed', { status: 500 })
    await news.gather()
    let at = NOON
    for (const minutes of [30, 60, 120, 240, 480, 960]) {
      await expectWait(within(minutes, 0.25), at)
      at = await gatherWhenDue()
    }
    await expectWait([1440, 1440], at)
    expect(await news.feed('/feed')).toMatchObject({ failures: 7, failure: 'answered 500' })
    news.server.set('/feed', { body: one })
    at = await gatherWhenDue()
    expect(await news.feed('/feed')).toMatchObject({ ...CALM, checkedAt: at })
    await expectWait(within(30, 0.05), at)
  })

  test.each([
    ['seconds', 429, '7200'],
    ['a date', 429, later(2 * HOUR).toUTCString()],
    ['seconds', 503, '7200'],
  ])('is left alone until the time it names: %s with %i', async (_name, status, header) => {
    news.server.set('/feed', { status, headers: { 'retry-after': header } })
    await news.gather()
    await expectWait(within(120, 0.05))
    news.site.setNow(later(2 * HOUR - 1))
    await news.gather()
    expect(news.server.count('/feed')).toBe(1)
    await gatherWhenDue()
    expect(news.server.count('/feed')).toBe(2)
  })

  test('is asked once a day where it says that it has gone', async () => {
    news.server.set('/feed', { status: 410 })
    await news.gather()
    expect(await wait()).toBe(DAY / MINUTE)
  })

  test('has not failed when the site closes meanwhile, and is asked by the next', async () => {
    for (const behaviour of ['silence', 'drip'] as const) {
      news.server.set('/feed', behaviour)
      const closing = new AbortController()
      const ended = news.gather({ signal: closing.signal })
      await expect.poll(() => news.server.count('/feed')).toBeGreaterThan(0)
      const started = performance.now()
      closing.abort()
      await ended
      // Unasked to end, it would take its five seconds.
      expect(performance.now() - started).toBeLessThan(4_000)
      expect(await news.feed('/feed')).toMatchObject({ failures: 0, failure: null, checkedAt: null, nextAt: NOON })
      news.server.requests.splice(0)
    }
  })
})
