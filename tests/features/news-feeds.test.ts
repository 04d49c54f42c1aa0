import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { fetchArticleImages, gatherNews } from '#server/features/news/jobs.ts'
import { rss } from '#tests/helpers/feedServer.ts'
import { HOUR, later, type NewsSite, startNewsSite } from '#tests/helpers/news.ts'

let news: NewsSite
let port: string
beforeAll(async () => {
  news = await startNewsSite(['/a'])
  port = new URL(news.server.url).port
})
afterAll(() => news.close())
afterEach(async () => {
  news.site.app.services.config.allowPrivateNetwork = true
  news.server.delay = 0
  await news.clear()
})

const article = (name: string) => ({ title: name, link: `https://site.example/${name}`, date: later(-HOUR) })
/** Gathers once the settings name these feeds. */
async function gatherAs(...feeds: string[]) {
  news.site.app.services.config.news.feeds = feeds.map(news.at)
  await news.gather()
}
const titles = async () => (await news.articles()).map(({ title }) => title).toSorted()

test('feeds that are no longer in the settings go, with what came from them alone', async () => {
  news.server.set('/a', { body: rss([article('a'), article('both')]), etag: '"a"' })
  news.server.set('/b', { body: rss([article('b'), article('both')]), etag: '"b"' })
  await gatherAs('/a')
  await gatherAs('/a', '/b')
  expect(await titles()).toEqual(['a', 'b', 'both'])
  const told = await news.told()

  await gatherAs()
  expect(await titles()).toEqual(['a', 'b', 'both'])

  await gatherAs('/b')
  expect(await titles()).toEqual(['b'])
  expect(await news.told()).toBe(told + 1)
  await expect(news.feed('/a')).rejects.toThrow()
  // What the other feed lists too is back as soon as that is asked, which is for all of it.
  news.site.setNow((await news.feed('/b')).nextAt)
  await gatherAs('/b')
  expect(await titles()).toEqual(['b', 'both'])
})

test('one that fails takes no other with it; the same one named twice is one', async () => {
  news.server.set('/a', { body: '<p>not a feed' })
  news.server.set('/b', { body: rss([article('b')]) })
  await gatherAs('/a', '/b', '/b', 'http://127.0.0.1:1/feed')
  expect(await titles()).toEqual(['b'])
  expect(news.server.count('/b')).toBe(1)
  expect(await news.feed('http://127.0.0.1:1/feed')).toMatchObject({ failure: 'the connection was refused' })
})

test('a host has one request at a time, and a run an end', async () => {
  const paths = ['/1', '/2', '/3', '/4', '/5', '/6']
  for (const path of paths) news.server.set(path, { body: rss([article(path)]) })
  news.site.app.services.config.news.feeds = paths.map(news.at)
  news.server.delay = 200
  await news.gather({ runMs: 300 })
  const asked = news.server.requests.length
  expect(asked).toBeGreaterThan(0)
  expect(asked).toBeLessThan(6)
  news.server.delay = 20
  // What was not asked for want of time is still due.
  await news.gather()
  expect(news.server.requests.map(({ path }) => path).toSorted()).toEqual(paths)
  expect(news.server.most()).toBe(1)
})

test('hosts are asked beside each other', async () => {
  news.server.set('/a', 'silence')
  news.server.set('/b', { body: rss([article('b')]) })
  const closing = new AbortController()
  news.site.app.services.config.news.feeds = [news.at('/a'), `http://localhost:${port}/b`]
  const ended = news.gather({ answerMs: 25_000, signal: closing.signal })
  await expect.poll(titles, { timeout: 10_000 }).toEqual(['b'])
  closing.abort()
  await ended
  expect(await news.feed('/a')).toMatchObject({ failures: 0, checkedAt: null })
})

test('without news nothing is asked, feeds or pictures', async () => {
  news.server.set('/a', { body: rss([{ ...article('a'), image: news.at('/a.png') }]) })
  await gatherAs('/a')
  news.server.requests.splice(0)
  news.site.setNow(later(HOUR))
  await gatherAs()
  await news.fetchImages()
  expect(news.server.requests).toEqual([])
})

test('nothing inside the house is asked unless the operator allows it', async () => {
  news.site.app.services.config.allowPrivateNetwork = false
  news.server.set('/a', { body: rss([article('a')]) })
  const feeds = ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433'].map((host) => `http://${host}:${port}/a`)
  await gatherAs(...feeds)
  for (const url of feeds) expect(await news.feed(url)).toMatchObject({ failures: 1, failure: 'not a public address' })
  expect(news.server.requests).toEqual([])
})

test('nor by a redirect from outside, for a feed or a picture', async () => {
  const { services } = news.site.app
  const { config, fetcher } = services
  config.allowPrivateNetwork = false
  // One address is taken for one of the public internet, as it would be where a stranger’s server is.
  const outside = (path: string): typeof services => {
    const read: typeof fetcher.read = (url, options) =>
      fetcher.read(url, { ...options, trusts: (to) => to.href === news.at(path) || options.trusts?.(to) === true })
    return { ...services, fetcher: { ...fetcher, read } }
  }
  const never = new AbortController().signal
  news.server.set('/out', { redirect: '/in' })
  config.news.feeds = [news.at('/out')]
  await gatherNews(outside('/out'), never)
  expect(await news.feed('/out')).toMatchObject({ failures: 1, failure: 'not a public address' })

  news.server.set('/open', { body: rss([{ ...article('a'), image: news.at('/out') }]) })
  config.news.feeds = [news.at('/open')]
  await gatherNews(outside('/open'), never)
  await fetchArticleImages(outside('/out'), never)
  expect(news.server.count('/out')).toBe(2)
  expect(news.server.count('/in')).toBe(0)
})
