import { and, eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { article } from '#db/schema/index.ts'
import { fetchPicture, findWaiting } from '#server/features/news/storeImage.ts'
import { storedFiles } from '#tests/helpers/attack.ts'
import { type FeedBehaviour, pageNaming, rss } from '#tests/helpers/feedServer.ts'
import { DAY, HOUR, later, MINUTE, type NewsSite, NOON, startNewsSite } from '#tests/helpers/news.ts'
import { animation, claimedPng, corners, cornersOf, SECRETS, still, withSecrets } from '#tests/helpers/pictures.ts'

let news: NewsSite
let png: Buffer
beforeAll(async () => {
  news = await startNewsSite(['/feed'])
  png = await still(640, 480).png().toBuffer()
})
afterAll(() => news.close())
afterEach(() => news.clear())

const picture = (body: Uint8Array, type = 'image/png'): FeedBehaviour => ({ body, type })

/** Brings one article whose feed names the picture at a path, or none. */
async function bring(image: string | null, page: FeedBehaviour = { status: 404 }) {
  news.server.set('/page', page)
  const entry = { link: news.at('/page'), date: later(-HOUR), ...(image && { image: news.at(image) }) }
  news.server.set('/feed', { body: rss([entry]) })
  await news.gather()
  news.server.requests.splice(0)
}
async function only() {
  const [one, ...others] = await news.articles()
  if (!one || others.length > 0) throw new Error('There should be one article')
  return one
}
const done = { imageAt: null, imageUrls: [] }
const asked = () => news.server.requests.map(({ path }) => path)
const bytesOf = async () => (await news.site.app.inject(`/dtpchan/uploads/${(await only()).image?.name}`)).rawPayload

describe('a picture', () => {
  test('is made small, stored, and served by us', async () => {
    news.server.set('/a', picture(await still(1600, 900).jpeg().toBuffer()))
    await bring('/a')
    const told = await news.told()
    await news.fetchImages()
    const { image, imageId, ...row } = await only()
    expect(row).toMatchObject(done)
    expect(image).toEqual({ name: `${imageId}.webp`, width: 800, height: 450 })
    expect(await storedFiles(news.site)).toEqual([image?.name])
    const answer = await news.site.app.inject(`/dtpchan/uploads/${image?.name}`)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/webp'])
    expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 800, height: 450 })
    expect(await news.told()).toBe(told + 1)
    expect(asked()).toEqual(['/a'])
    expect(news.server.requests[0]?.headers).not.toHaveProperty('referer')
    await news.fetchImages()
    expect(asked()).toEqual(['/a'])
  })

  test.each(['jpeg', 'png', 'webp', 'gif'] as const)('may be a %s; nothing of its origin is left', async (format) => {
    const bytes =
      format === 'gif' ? await animation(3, 320, 240).gif().toBuffer() : await withSecrets(still(320, 240), format)
    // What a server calls it does not matter.
    news.server.set('/a', picture(bytes, 'text/html'))
    await bring('/a')
    await news.fetchImages()
    const stored = await bytesOf()
    expect(SECRETS.filter((secret) => stored.includes(secret))).toEqual([])
    expect(await sharp(stored).metadata()).toMatchObject({ width: 320, height: 240 })
    for (const [corner, colour] of (await cornersOf(stored)).entries()) {
      for (const [channel, value] of colour.slice(0, 3).entries()) {
        expect(Math.abs(value - (corners[corner]?.[channel] ?? 0))).toBeLessThan(24)
      }
    }
  })

  test('may have moved', async () => {
    news.server.set('/a', { redirect: '/b' })
    news.server.set('/b', picture(png))
    await bring('/a')
    await news.fetchImages()
    expect((await only()).image).toMatchObject({ width: 640 })
  })

  test('is fetched by one of many at a time', async () => {
    news.server.set('/a', picture(png))
    await bring('/a')
    news.server.delay = 50
    const { services } = news.site.app
    const search = { signal: new AbortController().signal, totalMs: 5_000, resting: new Set<string>() }
    const [one] = await findWaiting(services, 1)
    if (!one) throw new Error('nothing waits')
    const found = await Promise.all([1, 2, 3, 4].map(() => fetchPicture(services, one, search)))
    news.server.delay = 0
    expect(found.filter(Boolean)).toHaveLength(1)
    expect(asked()).toEqual(['/a'])
  })

  test('of an article that has gone meanwhile is not kept', async () => {
    news.server.set('/a', async () => {
      await news.site.app.services.db.delete(article)
      return picture(png)
    })
    await bring('/a')
    await news.fetchImages()
    expect(asked()).toEqual(['/a'])
    expect(await storedFiles(news.site)).toEqual([])
  })
})

describe('what is no picture for us', () => {
  test.each([
    ['is not there', { status: 404 }],
    ['is a page', 'html'],
    ['is empty', { body: '', type: 'image/png' }],
    ['breaks off', () => picture(png.subarray(0, 200))],
    ['is tiny', async () => picture(await still(1, 1).gif().toBuffer())],
    ['is a stripe', async () => picture(await still(2000, 120).png().toBuffer())],
    ['has huge dimensions', picture(claimedPng(60_000, 60_000, Buffer.alloc(1000)))],
    [
      'is a drawing',
      { body: '<svg xmlns="http://www.w3.org/2000/svg" width="500" height="500"/>', type: 'image/svg+xml' },
    ],
    ['leads in circles', { redirect: '/a' }],
    ['leads nowhere', { redirect: 'file:///etc/passwd' }],
    ['is a bomb', 'bomb'],
    ['never ends', 'endless'],
  ] as [string, FeedBehaviour | (() => FeedBehaviour | Promise<FeedBehaviour>)][])(
    'because it %s: the page is asked once, then it is settled',
    async (_name, given) => {
      news.server.set('/a', typeof given === 'function' ? await given() : given)
      await bring('/a', { body: '<html>', type: 'text/html' })
      await news.fetchImages()
      expect(await only()).toMatchObject({ ...done, image: null, imageId: null })
      expect(new Set(asked())).toEqual(new Set(['/a', '/page']))
      expect(news.server.count('/page')).toBe(1)
      expect(await storedFiles(news.site)).toEqual([])
      news.site.setNow(later(2 * DAY))
      expect(await findWaiting(news.site.app.services, 10)).toEqual([])
    },
  )

  test('the next one is tried, last of all what the article’s page names', async () => {
    news.server.set('/small', picture(await still(90, 300).png().toBuffer()))
    news.server.set('/og', picture(png))
    const filler = ' '.repeat(600_000)
    await bring('/small', { body: pageNaming('/og') + filler, type: 'text/html' })
    await news.fetchImages()
    expect(asked()).toEqual(['/small', '/page', '/og'])
    expect((await only()).image).toMatchObject({ width: 640, height: 480 })
  })

  test('a page that names what was tried already', async () => {
    await bring('/a', { body: pageNaming(news.at('/a')), type: 'text/html' })
    news.server.set('/a', { status: 404 })
    await news.fetchImages()
    expect(asked()).toEqual(['/a', '/page'])
    expect(await only()).toMatchObject(done)
  })
})

describe('a server that gives no answer now', () => {
  test.each([
    ['is silent', 'silence'],
    ['drips', 'drip'],
    ['is broken', { status: 500 }],
    ['has enough', { status: 429 }],
    ['breaks off', 'death'],
  ] as const)('because it %s is asked again, a few times', async (_name, behaviour) => {
    news.server.set('/a', behaviour)
    await bring('/a', { body: '<html>', type: 'text/html' })
    const waits: number[] = []
    for (let at: Date | null = NOON; at; ) {
      news.site.setNow(at)
      await news.fetchImages({ answerMs: 150 })
      const { imageAt } = await only()
      if (imageAt) waits.push((imageAt.getTime() - at.getTime()) / MINUTE)
      at = imageAt
      expect(waits.length).toBeLessThan(5)
    }
    expect(waits.slice(0, 3)).toEqual([10, 60, 360])
    expect(await only()).toMatchObject({ ...done, image: null })
    expect([news.server.count('/a'), news.server.count('/page')]).toEqual([4, 1])
  })

  test('may have it then', async () => {
    news.server.set('/a', { status: 503 })
    await bring('/a', { status: 503 })
    await news.fetchImages()
    news.server.set('/a', picture(png))
    news.site.setNow(later(10 * MINUTE))
    await news.fetchImages()
    expect(await only()).toMatchObject({ ...done, image: { width: 640 } })
  })

  test('is left alone in that run', async () => {
    const entries = [1, 2, 3, 4].map((n) => ({
      link: news.at(`/page${n}`),
      image: news.at(`/${n}`),
      date: later(-HOUR),
    }))
    news.server.set('/feed', { body: rss(entries) })
    for (const n of [1, 2, 3, 4]) news.server.set(`/${n}`, { status: 429 })
    await news.gather()
    news.server.requests.splice(0)
    await news.fetchImages()
    expect(asked()).toHaveLength(1)
    expect((await news.articles()).every(({ imageAt }) => imageAt && imageAt > NOON)).toBe(true)
  })

  test('has not failed when the site closes meanwhile', async () => {
    news.server.set('/a', 'silence')
    await bring('/a')
    const before = await only()
    const closing = new AbortController()
    const ended = news.fetchImages({ signal: closing.signal })
    await expect.poll(() => news.server.count('/a')).toBe(1)
    const { db } = news.site.app.services
    const counted = await db
      .select()
      .from(article)
      .where(and(eq(article.id, before.id)))
    // Were the process to die now, it would have been a try.
    expect(counted[0]?.imageUrls[0]).toMatchObject({ failures: 1 })
    closing.abort()
    await ended
    expect(await only()).toEqual(before)
  })
})
