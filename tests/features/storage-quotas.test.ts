import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { storedBytes } from '#db/schema/index.ts'
import type { App } from '#server/app.ts'
import { jobs } from '#server/jobs.ts'
import { solveQuestion, toFormData } from '#tests/helpers/apiCalls.ts'
import {
  advanceToLaterDay,
  CLIENT_IP,
  MINUTE,
  OTHER_CLIENT_IP,
  postFrom,
  type RateLimitedSite,
  startRateLimitedSite,
} from '#tests/helpers/rateLimitedSite.ts'
import { noiseBytes, stillImage } from '#tests/helpers/sampleImages.ts'

const FULL_IMAGES = 'This site has no room for more images. Please try again later, or post without one.'
const FULL_PASTES = 'This site has no room for more pastes. Please try again later.'

let site: RateLimitedSite
let comments: string
/** noise, about 30 kB */
let large: Buffer
beforeAll(async () => {
  site = await startRateLimitedSite()
  large = await stillImage(100, 100)
    .composite([{ input: noiseBytes(100 * 100 * 3), raw: { width: 100, height: 100, channels: 3 } }])
    .png()
    .toBuffer()
  const { sessions, db } = site.app.services
  await db.execute(`insert into "user" (id, email, password_hash, role) values ('a', 'a@example.org', '', 'admin')`)
  token = await sessions.create({ id: 'a', email: 'a@example.org', role: 'admin' })
  await send(site.app, '/api/dtpchan/boards', { name: 'Here', description: 'y' })
  const { body } = await postTo(site.app, '/api/dtpchan/boards/here/threads', { title: 'A title' })
  comments = `/api/dtpchan/boards/here/threads/${body.thread.id}/comments`
})
afterAll(() => site.close())
beforeEach(() => advanceToLaterDay(site))

let token: string
const send = (app: App, url: string, payload: object, from = CLIENT_IP) =>
  postFrom(app, from, url, payload, { authorization: `Bearer ${token}` })
const paste = (app: App, length: number, from?: string) =>
  send(app, '/api/paste', { content: 'x'.repeat(length), expiryHours: 1 }, from)
const file = (bytes: Buffer) => new File([new Uint8Array(bytes)], 'p.png', { type: 'image/png' })
const share = (app: App, bytes: Buffer, from?: string) =>
  send(app, '/api/image-share', toFormData({ image: file(bytes), expiryHours: '24' }), from)
async function solved(app: App, from?: string) {
  const { challengeId, question } = (await send(app, '/api/dtpchan/captcha', {}, from)).body
  return { challengeId, captchaAnswer: String(solveQuestion(question)) }
}
const postTo = async (app: App, url: string, fields: object, from?: string) =>
  send(app, url, toFormData({ content: 'A', author: 'gl1tch', ...(await solved(app, from)), ...fields }), from)
const remove = (app: App, url: string) =>
  app.inject({ method: 'DELETE', url, headers: { authorization: `Bearer ${token}` } })
const sweep = (name: string) =>
  jobs.find((job) => job.name === name)?.run(site.app.services, new AbortController().signal)

async function stored(kind: 'image' | 'paste'): Promise<number> {
  const rows = await site.database.db.select().from(storedBytes)
  return rows.find((row) => row.kind === kind)?.bytes ?? Number.NaN
}

describe('a network', () => {
  test('stores its daily bytes of pastes, then gets 429 with the time until the next one fits', async () => {
    const app = await site.start({ STORED_PASTES_PER_NETWORK: '24kB' })
    for (let made = 0; made < 3; made++) expect((await paste(app, 8000)).status).toBe(200)
    const refused = await paste(app, 1000)
    expect(refused).toEqual({
      status: 429,
      body: { success: false, error: 'Too many bytes of pastes from your network. Please try again in 60 min.' },
      retryAfter: '3600',
    })
    expect((await paste(app, 8000, OTHER_CLIENT_IP)).status).toBe(200)
    site.now += 60 * MINUTE
    expect((await paste(app, 1000)).status).toBe(200)
    expect((await paste(app, 1000)).status).toBe(429)
  })

  test('of IPv6 is also its /56 and its /48, with twice and eight times the bytes', async () => {
    const app = await site.start({ STORED_PASTES_PER_NETWORK: '10kB' })
    const made = async (addressOf: (number: number) => string) => {
      let count = 0
      for (let number = 0; number < 12; number++) {
        if ((await paste(app, 10_000, addressOf(number))).status === 200) count++
      }
      return count
    }
    expect(await made((number) => `2001:db8:1:1${number.toString(16)}::1`)).toBe(2)
    expect(await made((number) => `2001:db8:2:${number.toString(16)}00::1`)).toBe(8)
  })

  test('stores images of posts and shares by the bytes of all their files', async () => {
    const app = await site.start({ STORED_IMAGES_PER_NETWORK: '100kB' })
    const before = await stored('image')
    expect((await postTo(app, comments, { image: file(large) })).status).toBe(200)
    const each = (await stored('image')) - before
    expect(each).toBeGreaterThan(large.length)
    let made = 1
    for (; (await share(app, large)).status === 200; made++) expect(made).toBeLessThan(10)
    // The last image can exceed the limit, because the server knows its size only after storing it.
    expect(made * each).toBeGreaterThan(100_000 - each)
    expect(made * each).toBeLessThan(100_000 + each)
    const refused = await postTo(app, comments, { image: file(large) })
    expect(refused.status).toBe(429)
    expect(refused.body.error).toMatch(/^Too many bytes of images from your network\. Please try again in \d+ min\.$/)
    expect((await postTo(app, comments, {})).status).toBe(200)
  })

  test('keeps its captcha and its allowance when its image is refused', async () => {
    const app = await site.start({ STORED_IMAGES_PER_NETWORK: '1kB', RATE_POST: '1/1h' })
    // The first image uses up the limit.
    expect((await share(app, large)).status).toBe(200)
    expect((await share(app, large)).body.error).toMatch(/^Too many bytes of images/)
    const fields = await solved(app)
    expect((await postTo(app, comments, { ...fields, image: file(large) })).status).toBe(429)
    expect((await postTo(app, comments, fields)).status).toBe(200)
  })
})

describe('the site', () => {
  test('refuses pastes beyond its bytes, until one is deleted or expires', async () => {
    const app = await site.start({ STORED_PASTES: String((await stored('paste')) + 5000), RATE_PASTE: '3/1h' })
    const { body } = await paste(app, 3000)
    for (let tried = 0; tried < 4; tried++) {
      expect(await paste(app, 3000)).toEqual({
        status: 503,
        body: { success: false, error: FULL_PASTES },
        retryAfter: '600',
      })
    }
    const { pathname, searchParams } = new URL(body.deleteUrl)
    const deletion = { token: searchParams.get('token') }
    expect((await send(app, `/api${pathname}`, deletion)).status).toBe(200)
    expect((await paste(app, 3000)).status).toBe(200)
    expect((await paste(app, 3000)).status).toBe(503)
    site.now += 61 * MINUTE
    await sweep('pastes')
    expect(await stored('paste')).toBe(0)
    expect((await paste(app, 3000)).status).toBe(200)
  })

  test('refuses images beyond its bytes and takes posts without one; the captcha and the allowance stay', async () => {
    const full = await site.start({ STORED_IMAGES: '1kB', RATE_POST: '1/1h' })
    expect((await share(full, large)).body.error).toBe(FULL_IMAGES)
    const fields = await solved(full)
    const refused = await postTo(full, comments, { ...fields, image: file(large) })
    expect([refused.status, refused.body.error]).toEqual([503, FULL_IMAGES])
    expect((await postTo(full, comments, fields)).status).toBe(200)
  })

  test('subtracts deleted files', async () => {
    const { app } = site
    const before = await stored('image')
    const thread = await postTo(app, '/api/dtpchan/boards/here/threads', { title: 'A title', image: file(large) })
    const { id } = thread.body.thread
    const threadUrl = `/api/dtpchan/boards/here/threads/${id}`
    const { body } = await postTo(app, `${threadUrl}/comments`, { content: `>>${id}`, image: file(large) })
    await postTo(app, `${threadUrl}/comments`, { image: file(large) })
    expect(await stored('image')).toBeGreaterThan(before + 3 * large.length)
    const threeImages = await stored('image')
    expect((await remove(app, `${threadUrl}/comments/${body.comment.id}`)).statusCode).toBe(200)
    expect((await remove(app, threadUrl)).statusCode).toBe(200)
    // Removed posts keep their files for seven days.
    expect(await stored('image')).toBe(threeImages)
    site.now += 7 * 24 * 60 * MINUTE + MINUTE
    await sweep('withheld')
    expect(await stored('image')).toBe(before)
    expect((await share(app, large)).status).toBe(200)
    expect(await stored('image')).toBeGreaterThan(before + large.length)
    site.now += 25 * 60 * MINUTE
    await sweep('image-shares')
    expect(await stored('image')).toBeLessThanOrEqual(before)
  })
})
