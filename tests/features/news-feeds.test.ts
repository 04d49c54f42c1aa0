import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { fetchArticleImages, refreshFeeds } from '#server/features/news/jobs.ts'
import { callApi } from '#tests/helpers/apiCalls.ts'
import { rss } from '#tests/helpers/feedServer.ts'
import { afterNoon, HOUR, type NewsSite, startNewsSite } from '#tests/helpers/newsSite.ts'

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

const article = (name: string) => ({ title: name, link: `https://site.example/${name}`, date: afterNoon(-HOUR) })
/** Sets the configured feeds and refreshes them. */
async function refreshOnly(...feeds: string[]) {
  news.site.app.services.config.news.feeds = feeds.map(news.urlOf)
  await news.refreshFeeds()
}
const titles = async () => (await news.articles()).map(({ title }) => title).toSorted()

test('deletes feeds that were removed from the settings, with their articles', async () => {
  news.server.set('/a', { body: rss([article('a'), article('both')]), etag: '"a"' })
  news.server.set('/b', { body: rss([article('b'), article('both')]), etag: '"b"' })
  await refreshOnly('/a')
  await refreshOnly('/a', '/b')
  expect(await titles()).toEqual(['a', 'b', 'both'])
  const events = await news.eventCount()

  await refreshOnly()
  expect(await titles()).toEqual(['a', 'b', 'both'])

  await refreshOnly('/b')
  expect(await titles()).toEqual(['b'])
  expect(await news.eventCount()).toBe(events + 1)
  await expect(news.feed('/a')).rejects.toThrow()
  // Removing feed a deleted the article `both`. The next full response of feed b restores it.
  news.site.setNow((await news.feed('/b')).nextAt)
  await refreshOnly('/b')
  expect(await titles()).toEqual(['b', 'both'])
})

test('refreshes the other feeds when one fails, and a repeated feed once', async () => {
  news.server.set('/a', { body: '<p>not a feed' })
  news.server.set('/b', { body: rss([article('b')]) })
  await refreshOnly('/a', '/b', '/b', 'http://127.0.0.1:1/feed')
  expect(await titles()).toEqual(['b'])
  expect(news.server.count('/b')).toBe(1)
  expect(await news.feed('http://127.0.0.1:1/feed')).toMatchObject({ failure: 'the connection was refused' })
})

test('goes on with the other feeds after an unexpected error, and fails at the end', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  for (const name of names) news.server.set(`/${name}`, { body: rss([article(name)]) })
  const read = vi.spyOn(news.site.app.services.fetcher, 'read').mockRejectedValueOnce(new TypeError('unexpected'))
  await expect(refreshOnly(...names.map((name) => `/${name}`))).rejects.toThrow('unexpected')
  read.mockRestore()
  expect(await titles()).toEqual(names.slice(1))
})

test.each(['constructor', '__proto__', 'prototype'])(
  'lists articles of a site that claims the host %s',
  async (host) => {
    news.server.set('/a', { body: rss([article('a')], { link: `http://${host}/` }) })
    await refreshOnly('/a')
    const { status, body } = await callApi(
      news.site,
      'GET',
      `/trpc/news.list?input=${encodeURIComponent('{"json":{}}')}`,
    )
    expect([status, body.result?.data.json.sources]).toEqual([200, ['127.0.0.1']])
  },
)

test('sends one request at a time to a host, and stops at the time limit of a run', async () => {
  const paths = ['/1', '/2', '/3', '/4', '/5', '/6']
  for (const path of paths) news.server.set(path, { body: rss([article(path)]) })
  news.site.app.services.config.news.feeds = paths.map(news.urlOf)
  news.server.delay = 200
  await news.refreshFeeds({ runMs: 300 })
  const asked = news.server.requests.length
  expect(asked).toBeGreaterThan(0)
  expect(asked).toBeLessThan(6)
  news.server.delay = 20
  // Feeds that the first run did not fetch are still due.
  await news.refreshFeeds()
  expect(news.server.requests.map(({ path }) => path).toSorted()).toEqual(paths)
  expect(news.server.maxConcurrent()).toBe(1)
})

test('fetches feeds of different hosts in parallel', async () => {
  news.server.set('/a', 'silence')
  news.server.set('/b', { body: rss([article('b')]) })
  const closing = new AbortController()
  news.site.app.services.config.news.feeds = [news.urlOf('/a'), `http://localhost:${port}/b`]
  const ended = news.refreshFeeds({ answerMs: 25_000, signal: closing.signal })
  await expect.poll(titles).toEqual(['b'])
  closing.abort()
  await ended
  expect(await news.feed('/a')).toMatchObject({ failures: 0, checkedAt: null })
})

test('sends no requests without feeds', async () => {
  news.server.set('/a', { body: rss([{ ...article('a'), image: news.urlOf('/a.png') }]) })
  await refreshOnly('/a')
  news.server.requests.splice(0)
  news.site.setNow(afterNoon(HOUR))
  await refreshOnly()
  await news.fetchImages()
  expect(news.server.requests).toEqual([])
})

test('rejects private addresses unless the operator allows them', async () => {
  news.site.app.services.config.allowPrivateNetwork = false
  news.server.set('/a', { body: rss([article('a')]) })
  const feeds = ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433'].map((host) => `http://${host}:${port}/a`)
  await refreshOnly(...feeds)
  for (const url of feeds) expect(await news.feed(url)).toMatchObject({ failures: 1, failure: 'not a public address' })
  expect(news.server.requests).toEqual([])
})

test('rejects redirects to private addresses, for feeds and images', async () => {
  const { services } = news.site.app
  const { config, fetcher } = services
  config.allowPrivateNetwork = false
  // Returns services that treat one path of the private test server as public.
  const outside = (path: string): typeof services => {
    const read: typeof fetcher.read = (url, options) =>
      fetcher.read(url, { ...options, trusts: (to) => to.href === news.urlOf(path) || options.trusts?.(to) === true })
    return { ...services, fetcher: { ...fetcher, read } }
  }
  const never = new AbortController().signal
  news.server.set('/out', { redirect: '/in' })
  config.news.feeds = [news.urlOf('/out')]
  await refreshFeeds(outside('/out'), never)
  expect(await news.feed('/out')).toMatchObject({ failures: 1, failure: 'not a public address' })

  news.server.set('/open', { body: rss([{ ...article('a'), image: news.urlOf('/out') }]) })
  config.news.feeds = [news.urlOf('/open')]
  await refreshFeeds(outside('/open'), never)
  await fetchArticleImages(outside('/out'), never)
  expect(news.server.count('/out')).toBe(2)
  expect(news.server.count('/in')).toBe(0)
})
