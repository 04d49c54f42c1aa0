import { and, eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { article } from '#db/schema/index.ts'
import { findArticlesWithoutImage, storeArticleImage } from '#server/features/news/storeImage.ts'
import { type FeedBehaviour, pageWithImage, rss } from '#tests/helpers/feedServer.ts'
import { afterNoon, DAY, HOUR, MINUTE, type NewsSite, NOON, startNewsSite } from '#tests/helpers/newsSite.ts'
import {
  animatedImage,
  CORNER_COLOURS,
  imageWithMetadata,
  METADATA_MARKERS,
  pngWithClaimedSize,
  readCorners,
  stillImage,
} from '#tests/helpers/sampleImages.ts'
import { listStoredFiles } from '#tests/helpers/storageSnapshot.ts'

let news: NewsSite
let png: Buffer
beforeAll(async () => {
  news = await startNewsSite(['/feed'])
  png = await stillImage(640, 480).png().toBuffer()
})
afterAll(() => news.close())
afterEach(() => news.clear())

const imageResponse = (body: Uint8Array, type = 'image/png'): FeedBehaviour => ({ body, type })

/** Stores one article. `image` is a path on the feed server. */
async function addArticle(image: string | null, page: FeedBehaviour = { status: 404 }) {
  news.server.set('/page', page)
  const entry = { link: news.urlOf('/page'), date: afterNoon(-HOUR), ...(image && { image: news.urlOf(image) }) }
  news.server.set('/feed', { body: rss([entry]) })
  await news.refreshFeeds()
  news.server.requests.splice(0)
}
async function onlyArticle() {
  const [first, ...others] = await news.articles()
  if (!first || others.length > 0) throw new Error('Expected one article')
  return first
}
const done = { imageAt: null, imageUrls: [] }
const givenUp = { imageAt: null, image: null, imageId: null }
const asked = () => news.server.requests.map(({ path }) => path)
const bytesOf = async () =>
  (await news.site.app.inject(`/dtpchan/uploads/${(await onlyArticle()).image?.name}`)).rawPayload

describe('an article image', () => {
  test('is scaled down, stored and served', async () => {
    news.server.set('/a', imageResponse(await stillImage(1600, 900).jpeg().toBuffer()))
    await addArticle('/a')
    const events = await news.eventCount()
    await news.fetchImages()
    const { image, imageId, ...row } = await onlyArticle()
    expect(row).toMatchObject(done)
    expect(image).toEqual({ name: `${imageId}.webp`, width: 800, height: 450 })
    expect(await listStoredFiles(news.site)).toEqual([image?.name])
    const answer = await news.site.app.inject(`/dtpchan/uploads/${image?.name}`)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/webp'])
    expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 800, height: 450 })
    expect(await news.eventCount()).toBe(events + 1)
    expect(asked()).toEqual(['/a'])
    expect(news.server.requests[0]?.headers).not.toHaveProperty('referer')
    await news.fetchImages()
    expect(asked()).toEqual(['/a'])
  })

  test.each(['jpeg', 'png', 'webp', 'gif'] as const)('can be a %s, and is stored without metadata', async (format) => {
    const bytes =
      format === 'gif'
        ? await animatedImage(3, 320, 240).gif().toBuffer()
        : await imageWithMetadata(stillImage(320, 240), format)
    // The server ignores the declared type.
    news.server.set('/a', imageResponse(bytes, 'text/html'))
    await addArticle('/a')
    await news.fetchImages()
    const stored = await bytesOf()
    expect(METADATA_MARKERS.filter((secret) => stored.includes(secret))).toEqual([])
    expect(await sharp(stored).metadata()).toMatchObject({ width: 320, height: 240 })
    for (const [corner, colour] of (await readCorners(stored)).entries()) {
      for (const [channel, value] of colour.slice(0, 3).entries()) {
        expect(Math.abs(value - (CORNER_COLOURS[corner]?.[channel] ?? 0))).toBeLessThan(24)
      }
    }
  })

  test('is found after a redirect', async () => {
    news.server.set('/a', { redirect: '/b' })
    news.server.set('/b', imageResponse(png))
    await addArticle('/a')
    await news.fetchImages()
    expect((await onlyArticle()).image).toMatchObject({ width: 640 })
  })

  test('is not fetched for an article that has changed since it was found', async () => {
    await addArticle('/a')
    const { services } = news.site.app
    const [found] = await findArticlesWithoutImage(services, 1)
    if (!found) throw new Error('Expected an article without an image')
    await services.db.update(article).set({ imageAt: new Date(NOON.getTime() + HOUR) })
    const search = { signal: new AbortController().signal, totalMs: 5_000, pausedHosts: new Set<string>() }
    expect([await storeArticleImage(services, found, search), asked()]).toEqual([false, []])
  })

  test('is deleted if the article was deleted during the download', async () => {
    news.server.set('/a', async () => {
      await news.site.app.services.db.delete(article)
      return imageResponse(png)
    })
    await addArticle('/a')
    await news.fetchImages()
    expect(asked()).toEqual(['/a'])
    expect(await listStoredFiles(news.site)).toEqual([])
  })
})

describe('an unusable image', () => {
  test.each([
    ['status 404', { status: 404 }],
    ['a web page', 'html'],
    ['an empty file', { body: '', type: 'image/png' }],
    ['a truncated file', () => imageResponse(png.subarray(0, 200))],
    ['a tiny image', async () => imageResponse(await stillImage(1, 1).gif().toBuffer())],
    ['a narrow image', async () => imageResponse(await stillImage(2000, 120).png().toBuffer())],
    ['huge dimensions', imageResponse(pngWithClaimedSize(60_000, 60_000, Buffer.alloc(1000)))],
    [
      'an SVG image',
      { body: '<svg xmlns="http://www.w3.org/2000/svg" width="500" height="500"/>', type: 'image/svg+xml' },
    ],
    ['a redirect loop', { redirect: '/a' }],
    ['a redirect to a file', { redirect: 'file:///etc/passwd' }],
    ['a compression bomb', 'bomb'],
    ['an endless response', 'endless'],
  ] as [string, FeedBehaviour | (() => FeedBehaviour | Promise<FeedBehaviour>)][])(
    'is given up after the page was tried once: %s',
    async (_name, given) => {
      news.server.set('/a', typeof given === 'function' ? await given() : given)
      await addArticle('/a', { body: '<html>', type: 'text/html' })
      await news.fetchImages()
      expect(await onlyArticle()).toMatchObject(givenUp)
      expect(new Set(asked())).toEqual(new Set(['/a', '/page']))
      expect(news.server.count('/page')).toBe(1)
      expect(await listStoredFiles(news.site)).toEqual([])
      news.site.setNow(afterNoon(2 * DAY))
      expect(await findArticlesWithoutImage(news.site.app.services, 10)).toEqual([])
    },
  )

  test('is replaced by the next source, and last by the image that the page declares', async () => {
    news.server.set('/small', imageResponse(await stillImage(90, 300).png().toBuffer()))
    news.server.set('/og', imageResponse(png))
    const filler = ' '.repeat(600_000)
    await addArticle('/small', { body: pageWithImage('/og') + filler, type: 'text/html' })
    await news.fetchImages()
    expect(asked()).toEqual(['/small', '/page', '/og'])
    expect((await onlyArticle()).image).toMatchObject({ width: 640, height: 480 })
  })

  test('is not fetched again if the page declares the same URL', async () => {
    await addArticle('/a', { body: pageWithImage(news.urlOf('/a')), type: 'text/html' })
    news.server.set('/a', { status: 404 })
    await news.fetchImages()
    expect(asked()).toEqual(['/a', '/page'])
    expect(await onlyArticle()).toMatchObject(givenUp)
  })
})

describe('an image that a feed adds to an article later', () => {
  const addLater = async (image: string, minutes: number) => {
    news.server.set('/feed', {
      body: rss([{ link: news.urlOf('/page'), date: afterNoon(-HOUR), image: news.urlOf(image) }]),
    })
    news.site.setNow(afterNoon(minutes * MINUTE))
    await news.refreshFeeds()
    await news.fetchImages()
  }

  test('is stored, and asked for once if it cannot be used', async () => {
    await addArticle(null)
    await news.fetchImages()
    expect(await onlyArticle()).toMatchObject(givenUp)
    await addLater('/broken', 60)
    await addLater('/broken', 120)
    expect(asked()).toEqual(['/page', '/feed', '/broken', '/feed'])
    expect(await onlyArticle()).toMatchObject(givenUp)
    news.server.set('/a', imageResponse(png))
    await addLater('/a', 180)
    expect(await onlyArticle()).toMatchObject({ ...done, image: { width: 640 } })
    await addLater('/other', 240)
    expect(news.server.count('/other')).toBe(0)
  })

  test('has another URL in each response: only a few of them are tried', async () => {
    await addArticle(null)
    await news.fetchImages()
    for (let hour = 1; hour <= 15; hour++) await addLater(`/signed?${hour}`, hour * 60)
    expect((await onlyArticle()).imageUrls).toHaveLength(12)
    expect(asked().filter((path) => path.startsWith('/signed'))).toHaveLength(11)
  })
})

describe('a temporary error', () => {
  test.each([
    ['no response', 'silence'],
    ['a slow response', 'drip'],
    ['status 500', { status: 500 }],
    ['status 429', { status: 429 }],
    ['a lost connection', 'death'],
  ] as const)('is retried a few times: %s', async (_name, behaviour) => {
    news.server.set('/a', behaviour)
    await addArticle('/a', { body: '<html>', type: 'text/html' })
    const waits: number[] = []
    for (let at: Date | null = NOON; at; ) {
      news.site.setNow(at)
      await news.fetchImages({ answerMs: 150 })
      const { imageAt } = await onlyArticle()
      if (imageAt) waits.push((imageAt.getTime() - at.getTime()) / MINUTE)
      at = imageAt
      expect(waits.length).toBeLessThan(5)
    }
    expect(waits.slice(0, 3)).toEqual([10, 60, 360])
    expect(await onlyArticle()).toMatchObject(givenUp)
    expect([news.server.count('/a'), news.server.count('/page')]).toEqual([4, 1])
  })

  test('can be followed by success', async () => {
    news.server.set('/a', { status: 503 })
    await addArticle('/a', { status: 503 })
    await news.fetchImages()
    news.server.set('/a', imageResponse(png))
    news.site.setNow(afterNoon(10 * MINUTE))
    await news.fetchImages()
    expect(await onlyArticle()).toMatchObject({ ...done, image: { width: 640 } })
  })

  test('pauses the host for the rest of the run', async () => {
    const entries = [1, 2, 3, 4].map((n) => ({
      link: news.urlOf(`/page${n}`),
      image: news.urlOf(`/${n}`),
      date: afterNoon(-HOUR),
    }))
    news.server.set('/feed', { body: rss(entries) })
    for (const n of [1, 2, 3, 4]) news.server.set(`/${n}`, { status: 429 })
    await news.refreshFeeds()
    news.server.requests.splice(0)
    await news.fetchImages()
    expect(asked()).toHaveLength(1)
    expect((await news.articles()).every(({ imageAt }) => imageAt && imageAt > NOON)).toBe(true)
  })

  test('is not recorded when a shutdown aborts the fetch', async () => {
    news.server.set('/a', 'silence')
    await addArticle('/a')
    const before = await onlyArticle()
    const closing = new AbortController()
    const ended = news.fetchImages({ signal: closing.signal })
    await expect.poll(() => news.server.count('/a')).toBe(1)
    const { db } = news.site.app.services
    const counted = await db
      .select()
      .from(article)
      .where(and(eq(article.id, before.id)))
    // The server counts a failure before each attempt, in case the process dies during it.
    expect(counted[0]?.imageUrls[0]).toMatchObject({ failures: 1 })
    closing.abort()
    await ended
    expect(await onlyArticle()).toEqual(before)
  })
})
