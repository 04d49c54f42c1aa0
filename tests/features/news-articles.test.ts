import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createNewsFeed, listArticles } from '#server/features/news/service.ts'
import { type FeedEntry, rss } from '#tests/helpers/feedServer.ts'
import { afterNoon, DAY, HOUR, MINUTE, type NewsSite, NOON, startNewsSite } from '#tests/helpers/newsSite.ts'

let news: NewsSite
beforeAll(async () => {
  news = await startNewsSite(['/a', '/b'])
})
afterAll(() => news.close())
afterEach(() => news.clear())

const site = (path: string) => `https://site.example/${path}`
const entry = (path: string, more: Partial<FeedEntry> = {}): FeedEntry => ({
  title: path,
  link: site(path),
  guid: path,
  date: afterNoon(-HOUR),
  ...more,
})

/** Refreshes all feeds at the given time. A feed that is not in `lists` keeps its entries. */
async function refreshAt(at: Date, lists: { a?: FeedEntry[]; b?: FeedEntry[] }) {
  if (lists.a) news.server.set('/a', { body: rss(lists.a, { link: 'https://www.Site.example/news/' }) })
  if (lists.b) news.server.set('/b', { body: rss(lists.b) })
  news.site.setNow(at)
  await news.refreshFeeds()
}
const shown = async () => (await news.articles()).map(({ title, url }) => `${title} ${url.replace(site(''), '')}`)
const dates = async () => (await news.articles()).map(({ publishedAt }) => publishedAt.getTime() - NOON.getTime())

describe('articles', () => {
  test('are stored with the host of their site and with image sources', async () => {
    await refreshAt(NOON, { a: [entry('1', { image: site('1.png') })], b: [entry('2')] })
    const [second, first] = (await news.articles()).toSorted((a, b) => b.title.localeCompare(a.title))
    expect(first).toMatchObject({ source: 'site.example', title: '1', url: site('1'), publishedAt: afterNoon(-HOUR) })
    expect(first).toMatchObject({ image: null, imageAt: NOON })
    expect(first?.imageUrls).toEqual([{ url: site('1.png') }, { url: site('1'), page: true }])
    expect(second?.source).toBe('127.0.0.1')
    expect(await news.eventCount()).toBe(2)
  })

  test('have the title of their feed, and a source has it if it has one feed', async () => {
    const refreshTitled = async (at: Date, a: string, b: string, linkOfB?: string) => {
      news.server.set('/a', { body: rss([entry('1')], { title: a, link: site('') }) })
      news.server.set('/b', { body: rss([entry('2')], { title: b, link: linkOfB }) })
      news.site.setNow(at)
      await news.refreshFeeds()
      const { articles, sourceTitles } = await listArticles(news.site.app.services, { page: 1 })
      return [articles.map(({ sourceTitle }) => sourceTitle).toSorted(), sourceTitles]
    }
    const titled = await refreshTitled(NOON, 'A &amp; B\n daily', '')
    expect(titled).toEqual([['127.0.0.1', 'A & B daily'], { 'site.example': 'A & B daily' }])
    const events = await news.eventCount()
    expect(await refreshTitled(afterNoon(HOUR), 'A', 'B', site('b'))).toEqual([['A', 'B'], {}])
    expect(await news.eventCount()).toBeGreaterThan(events)
    await refreshTitled(afterNoon(2 * HOUR), 'x'.repeat(500), 'B')
    expect((await news.feed('/a')).title).toHaveLength(80)
  })

  test('keep their id when the title or the URL changes', async () => {
    await refreshAt(NOON, { a: [entry('1'), entry('2')], b: [] })
    const before = await news.articles()
    const events = await news.eventCount()
    await refreshAt(afterNoon(HOUR), {
      a: [entry('1', { title: 'new' }), entry('2', { link: site('moved'), date: NOON })],
    })
    expect((await shown()).toSorted()).toEqual(['2 moved', 'new 1'])
    const changed = await news.articles()
    expect(changed.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
    expect(await dates()).toEqual([-HOUR, -HOUR])
    expect(await news.eventCount()).toBe(events + 1)
    // A refresh without a visible change publishes no event.
    await refreshAt(afterNoon(2 * HOUR), {})
    expect(await news.eventCount()).toBe(events + 1)
  })

  test('are not duplicated when guids change', async () => {
    for (const round of [0, 1, 2]) {
      const list = ['1', '2', '3'].map((path) => entry(path, { guid: `${path} in round ${round}` }))
      await refreshAt(afterNoon(round * HOUR), { a: list, b: [] })
    }
    expect((await shown()).toSorted()).toEqual(['1 1', '2 2', '3 3'])
    await refreshAt(afterNoon(3 * HOUR), { a: ['1', '2', '3'].map((path) => entry(path, { guid: undefined })) })
    expect(await shown()).toHaveLength(3)
  })

  test('are stored separately if all have the same guid', async () => {
    await refreshAt(NOON, { a: ['1', '2', '3'].map((path) => entry(path, { guid: 'same' })), b: [] })
    await refreshAt(afterNoon(HOUR), { a: ['0', '1', '2'].map((path) => entry(path, { guid: 'same' })) })
    expect((await shown()).toSorted()).toEqual(['0 0', '1 1', '2 2', '3 3'])
  })

  test('keep their id in a feed that numbers its items from the top', async () => {
    const numbered = (...paths: string[]) =>
      paths.map((path, index) => entry(path, { guid: `${index}`, date: afterNoon(path.charCodeAt(0) * MINUTE - DAY) }))
    await refreshAt(NOON, { a: numbered('c', 'b', 'a'), b: [] })
    const before = new Map((await news.articles()).map(({ id, url }) => [url, id]))
    await refreshAt(afterNoon(HOUR), { a: numbered('e', 'd', 'c') })
    await refreshAt(afterNoon(2 * HOUR), { a: numbered('c', 'e', 'f') })
    const now = await news.articles()
    expect(now.map(({ title }) => title).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
    for (const [url, id] of before) expect(now.find((row) => row.url === url)?.id).toBe(id)
  })

  test('are stored for each guid if their link is the same', async () => {
    const status = (n: number) =>
      entry('status', { title: `incident ${n}`, guid: `${n}`, date: afterNoon(n * MINUTE - DAY) })
    await refreshAt(NOON, { a: [4, 3, 2, 1].map(status), b: [] })
    const before = await news.articles()
    expect(before.map(({ title }) => title)).toEqual([4, 3, 2, 1].map((n) => `incident ${n}`))
    await refreshAt(afterNoon(HOUR), { a: [5, 4, 3, 2].map(status) })
    const [added, ...rest] = await news.articles()
    expect(added).toMatchObject({ title: 'incident 5', url: site('status'), publishedAt: status(5).date })
    expect(rest).toEqual(before)
    const { entries } = await createNewsFeed(news.site.app.services)
    expect(entries.map(({ url }) => url)).toEqual(Array.from({ length: 5 }, () => site('status')))
    expect(new Set(entries.map(({ id }) => id)).size).toBe(5)
    expect(entries.filter(({ id, url }) => id === url)).toHaveLength(1)
    // The article of another feed joins those of the first feed.
    await refreshAt(afterNoon(2 * HOUR), { b: [entry('status', { title: 'elsewhere' })] })
    expect(await news.articles()).toHaveLength(5)
    expect(await news.feed('/b')).toMatchObject({ failures: 0 })
  })

  test('are stored once per item if all have one link and guids that change', async () => {
    const release = (n: number, round: number) =>
      entry('releases', { title: `version ${n}`, guid: `${n} in ${round}`, date: afterNoon(n * MINUTE - DAY) })
    for (const round of [0, 1, 2]) {
      await refreshAt(afterNoon(round * HOUR), { a: [3, 2, 1].map((n) => release(n, round)), b: [] })
    }
    expect((await news.articles()).map(({ title }) => title)).toEqual(['version 3', 'version 2', 'version 1'])
  })

  test('are stored for each anchor of a page, but not for anchors that all pages have', async () => {
    await refreshAt(NOON, {
      a: [entry('changes#v2', { guid: '2' }), entry('changes#v1', { guid: '1' }), entry('page#rss')],
      b: [entry('other#rss')],
    })
    expect((await news.articles()).map(({ url }) => url).toSorted()).toEqual(
      ['changes#v1', 'changes#v2', 'other', 'page'].map(site),
    )
  })

  test('of two feeds are stored once, for the first feed', async () => {
    await refreshAt(NOON, { a: [entry('1')], b: [] })
    const events = await news.eventCount()
    await refreshAt(afterNoon(HOUR), {
      b: [entry('1', { title: 'elsewhere', link: site('1/').replace('https', 'http') })],
    })
    expect(await shown()).toEqual(['1 1'])
    expect(await news.eventCount()).toBe(events)
  })

  test('of two feeds are stored once when both feeds are refreshed at the same time', async () => {
    // Uses two hosts, because the server fetches feeds of the same host one after another.
    const feeds = [news.urlOf('/a'), news.urlOf('/b').replace('127.0.0.1', 'localhost')]
    const { config } = news.site.app.services
    config.news.feeds = feeds
    const paths = Array.from({ length: 40 }, (_, n) => `${n}`)
    const settled = async () => {
      for (const url of feeds) expect(await news.feed(url)).toMatchObject({ failures: 0 })
      return new Set((await news.articles()).map(({ url }) => url)).size
    }
    for (let round = 0; round < 6; round++) {
      await news.clear()
      await refreshAt(NOON, { a: paths.map((path) => entry(path)), b: paths.toReversed().map((path) => entry(path)) })
      expect([await settled(), (await news.articles()).length]).toEqual([40, 40])
      const moved = paths.map((path) => entry(path, { link: site(`moved/${path}`) }))
      await refreshAt(afterNoon(HOUR), {
        a: moved,
        b: moved.toReversed().map((item) => ({ ...item, guid: `b ${item.guid}` })),
      })
      expect(await settled()).toBe((await news.articles()).length)
    }
    config.news.feeds = [news.urlOf('/a'), news.urlOf('/b')]
  })

  test('can move to the URL of another feed’s article', async () => {
    await refreshAt(NOON, { a: [entry('1')], b: [entry('2')] })
    await refreshAt(afterNoon(HOUR), { a: [entry('1', { link: site('2') })] })
    expect(await news.feed('/a')).toMatchObject({ failures: 0 })
    expect((await shown()).filter((text) => text.endsWith(' 2'))).toEqual(['2 2'])
  })
})

describe('dates', () => {
  test('are the time of the first refresh for undated articles, in the order of the feed', async () => {
    const undated = (...paths: string[]) => paths.map((path) => entry(path, { date: undefined }))
    await refreshAt(NOON, { a: [], b: undated('c', 'b', 'a') })
    expect(await shown()).toEqual(['c c', 'b b', 'a a'])
    const first = await dates()
    expect(first.every((date) => date < 0 && date > -1000)).toBe(true)
    await refreshAt(afterNoon(HOUR), { b: undated('d', 'c', 'b', 'a') })
    expect(await shown()).toEqual(['d d', 'c c', 'b b', 'a a'])
    expect((await dates()).slice(1)).toEqual(first)
    // The stored date does not change when the feed adds a date later.
    await refreshAt(afterNoon(2 * HOUR), { b: [entry('c', { date: afterNoon(-30 * DAY) })] })
    expect((await dates()).slice(1)).toEqual(first)
  })

  test('that are equal keep the order of the feed', async () => {
    await refreshAt(NOON, { a: ['3', '2', '1'].map((path) => entry(path)), b: [] })
    expect(await shown()).toEqual(['3 3', '2 2', '1 1'])
  })

  test.each([
    ['in the year 3000', new Date('3000-01-01')],
    ['in an hour', afterNoon(HOUR)],
  ])('%s are replaced by the first time seen', async (_name, date) => {
    await refreshAt(NOON, { a: [entry('1', { date })], b: [] })
    const [first = 0] = await dates()
    expect(first).toBeLessThan(0)
    expect(first).toBeGreaterThan(-1000)
    await refreshAt(afterNoon(3 * HOUR), {})
    expect(await dates()).toEqual([first])
  })

  test('more than 60 days ago are skipped', async () => {
    const edge = afterNoon(-60 * DAY)
    await refreshAt(NOON, {
      a: [entry('old', { date: new Date(edge.getTime() - 1000) }), entry('just', { date: edge }), entry('new')],
      b: [entry('nonsense', { date: 'Mon, 01 Jan 2001 00:00:00 GMT' })],
    })
    expect((await shown()).toSorted()).toEqual(['just just', 'new new'])
  })

  test('decide which 200 articles of a long feed are stored', async () => {
    const all = Array.from({ length: 260 }, (_, n) => entry(`${n}`, { date: afterNoon(-n * MINUTE) })).toReversed()
    await refreshAt(NOON, { a: all, b: [] })
    const titles = (await news.articles()).map(({ title }) => title)
    expect([titles.length, titles[0], titles.at(-1)]).toEqual([200, '0', '199'])
  })
})
