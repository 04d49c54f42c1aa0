import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { imageShare } from '#db/schema/index.ts'
import { deleteOrphanedFiles } from '#server/core/jobs/fileCleanup.ts'
import { deleteExpiredImageShares } from '#server/features/image/service.ts'
import { imageReferences } from '#server/jobs.ts'
import { type ApiResponse, callApi, toFormData } from '#tests/helpers/apiCalls.ts'
import { animatedImage, imageWithMetadata, METADATA_MARKERS, stillImage } from '#tests/helpers/sampleImages.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import { listStoredFiles } from '#tests/helpers/storageSnapshot.ts'

const SHARES = '/api/image-share'
const HOUR = 3_600_000
const GONE = { success: false, error: 'Image not found or expired' }
const PERSON = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

let site: TestSite
let png: Buffer
beforeAll(async () => {
  site = await startSite({ SITE_URL: 'https://dtp.example' })
  png = await stillImage(640, 480).png().toBuffer()
})
afterAll(() => site.close())
afterEach(() => site.setNow(null))

const file = (bytes: Uint8Array, type = 'image/png', name = 'holiday.png') =>
  new File([new Uint8Array(bytes)], name, { type })
const share = (bytes: Uint8Array = png, hours = '24', type?: string): Promise<ApiResponse> =>
  callApi(site, 'POST', SHARES, { form: toFormData({ image: file(bytes, type), expiryHours: hours }) })
const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  site.app.inject({
    method,
    url: url.replace('https://dtp.example', ''),
    headers: { 'user-agent': PERSON, ...headers },
  })
const idOf = (answer: ApiResponse): string => answer.body.url.split('/').at(-1)
const read = async (answer: ApiResponse) => (await get(`${SHARES}/${idOf(answer)}`)).json().imageShare

describe('an image upload', () => {
  test.each([
    ['application/octet-stream', 'x.webp'],
    ['application/octet-stream', 'x.jfif'],
    ['text/plain', 'x.jpe'],
    ['', 'x'],
  ])('is taken by its bytes, with the type %j and the name %s', async (type, name) => {
    const form = toFormData({ image: file(await stillImage().webp().toBuffer(), type, name), expiryHours: '1' })
    const answer = await callApi(site, 'POST', SHARES, { form })
    expect([answer.status, answer.body.filename]).toEqual([200, expect.stringMatching(/\.webp$/)])
  })

  test('returns the URL of the page, the file and a delete link', async () => {
    site.setNow(new Date('2026-11-21T10:00:00Z'))
    const answer = await share()
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      success: true,
      url: expect.stringMatching(/^https:\/\/dtp\.example\/image-share\/[\w-]{22}$/),
      imageUrl: `https://dtp.example/dtpchan/uploads/${answer.body.filename}`,
      deleteUrl: expect.stringMatching(/^https:\/\/dtp\.example\/image-share\/[\w-]{22}\/delete\?token=[\w-]{22}$/),
      filename: expect.stringMatching(/^[0-9a-f]{24}-[0-9a-z]+\.png$/),
      expiresAt: '2026-11-22T10:00:00.000Z',
    })
    expect((await get(`${SHARES}/${idOf(answer)}`)).json()).toEqual({
      success: true,
      imageShare: {
        id: idOf(answer),
        filename: answer.body.filename,
        createdAt: '2026-11-21T10:00:00.000Z',
        expiresAt: '2026-11-22T10:00:00.000Z',
        views: 1,
        image: {
          url: `/dtpchan/uploads/${answer.body.filename}`,
          width: 640,
          height: 480,
          bytes: expect.any(Number),
          animated: false,
        },
        display: { url: `/dtpchan/uploads/${answer.body.filename}`, width: 640, height: 480 },
        preview: { url: expect.stringMatching(/\.p\.jpg$/), width: 640, height: 480 },
      },
    })
  })

  test.each([1, 6, 12, 24, 48, 168])('expires after %i hours', async (hours) => {
    const { createdAt, expiresAt } = await read(await share(png, String(hours)))
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(hours * HOUR)
  })

  test.each(['jpeg', 'png', 'gif', 'webp'] as const)(
    'of a %s keeps its format, and nothing of its origin',
    async (format) => {
      const bytes =
        format === 'gif' ? await stillImage().gif().toBuffer() : await imageWithMetadata(stillImage(), format)
      const { image, display, preview } = await read(await share(bytes, '1', 'image/png'))
      for (const { url } of [image, display, preview]) {
        const { rawPayload } = await get(url)
        expect(METADATA_MARKERS.filter((secret) => rawPayload.includes(secret))).toEqual([])
        expect((await sharp(rawPayload).metadata()).exif).toBeUndefined()
      }
      expect((await sharp((await get(image.url)).rawPayload).metadata()).format).toBe(format)
      expect((await sharp((await get(preview.url)).rawPayload).metadata()).format).toBe('jpeg')
    },
  )

  test('shows an animation unreduced, and a large still reduced', async () => {
    const moving = await read(await share(await animatedImage(3, 900, 800).gif().toBuffer()))
    expect(moving.image.animated).toBe(true)
    expect(moving.display.url).toBe(moving.image.url)
    const large = await read(await share(await stillImage(4000, 3000).jpeg().toBuffer()))
    expect(large.image).toMatchObject({ width: 4000, height: 3000 })
    expect(large.display).toMatchObject({ width: 1920, height: 1440 })
    const jpeg = await sharp((await get(large.preview.url)).rawPayload).metadata()
    expect(jpeg).toMatchObject({ format: 'jpeg', width: 840, height: 630 })
  })

  test('creates two shares for the same file', async () => {
    const [a, b] = [await share(), await share()]
    expect(a.body.url).not.toBe(b.body.url)
    expect(a.body.filename).not.toBe(b.body.filename)
  })
})

describe('views', () => {
  const views = async (id: string) =>
    (await site.app.services.db.select().from(imageShare)).find((row) => row.id === id)?.views

  test('count each API call, also simultaneous ones', async () => {
    const id = idOf(await share())
    await Promise.all(Array.from({ length: 20 }, () => get(`${SHARES}/${id}`)))
    expect((await get(`${SHARES}/${id}`)).json().imageShare.views).toBe(21)
  })

  test('do not count prefetches, link previews and bots', async () => {
    const id = idOf(await share())
    for (const [name, value] of [
      ['sec-purpose', 'prefetch'],
      ['sec-purpose', 'prefetch;prerender'],
      ['purpose', 'prefetch'],
      ['x-moz', 'prefetch'],
      ['user-agent', 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)'],
      ['user-agent', 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'],
      ['user-agent', 'WhatsApp/2.23.20.0'],
      ['user-agent', 'facebookexternalhit/1.1'],
      ['user-agent', 'TelegramBot (like TwitterBot)'],
      ['user-agent', 'http.rb/5.1.1 (Mastodon/4.2.1; +https://social.example/)'],
      ['user-agent', 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
      ['user-agent', 'Synapse (bot; +https://github.com/matrix-org/synapse)'],
    ] as const) {
      const answer = await get(`${SHARES}/${id}`, { [name]: value })
      expect([value, answer.statusCode, answer.json().imageShare.views]).toEqual([value, 200, 0])
    }
    expect((await get(`${SHARES}/${id}`, {}, 'HEAD')).statusCode).toBe(200)
    expect(await views(id)).toBe(0)
  })

  test("do not count requests for files and the client's own requests", async () => {
    const answer = await share()
    const id = idOf(answer)
    await get(answer.body.imageUrl)
    const input = encodeURIComponent(JSON.stringify({ json: { id } }))
    expect((await get(`/trpc/image.share?input=${input}`)).statusCode).toBe(200)
    expect(await views(id)).toBe(0)
  })

  test.each([
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Twitter for iPhone/10.7',
    'Mozilla/5.0 (Linux; Android 10; CUBOT_X30) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36',
    'curl/8.5.0',
    '',
  ])('count the client %s', async (agent) => {
    const id = idOf(await share())
    await get(`${SHARES}/${id}`, { 'user-agent': agent })
    expect(await views(id)).toBe(1)
  })
})

describe('image files', () => {
  test('are sandboxed, not indexed, revalidated, and served in ranges', async () => {
    const { imageUrl, filename } = (await share()).body
    const answer = await get(imageUrl)
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
      'cache-control': 'private, no-cache',
      'accept-ranges': 'bytes',
      etag: `"${filename}"`,
    })
    expect((await get(imageUrl, { 'if-none-match': `"${filename}"` })).statusCode).toBe(304)
    const part = await get(imageUrl, { range: 'bytes=0-9' })
    expect([part.statusCode, part.rawPayload.length]).toEqual([206, 10])
  })
})

describe('expiry of a share', () => {
  test('hides page, API and files at the same time, before the job has run', async () => {
    const start = new Date('2026-11-21T10:00:00.000Z')
    site.setNow(start)
    const answer = await share(await stillImage(3000, 2000).jpeg().toBuffer(), '6')
    const { image, display, preview } = await read(answer)
    const urls = [image.url, display.url, preview.url, `${SHARES}/${idOf(answer)}`]
    site.setNow(new Date(start.getTime() + 6 * HOUR - 1))
    for (const url of urls) expect((await get(url)).statusCode).toBe(200)
    site.setNow(new Date(start.getTime() + 6 * HOUR))
    for (const url of urls) {
      for (const headers of [{}, { 'if-none-match': `"${url.split('/').at(-1)}"` }, { range: 'bytes=0-1' }]) {
        const gone = await get(url, headers as Record<string, string>)
        expect([url, gone.statusCode, gone.json()]).toEqual([url, 404, GONE])
        expect(gone.headers['cache-control']).toBe('no-store')
      }
      expect((await get(url, {}, 'HEAD')).statusCode).toBe(404)
    }
    const { deleteUrl } = answer.body
    const token = new URL(deleteUrl).searchParams.get('token')
    const refused = await callApi(site, 'POST', `${SHARES}/${idOf(answer)}/delete`, { json: { token } })
    expect([refused.status, refused.body]).toEqual([404, GONE])
  })

  test('deletes only expired shares, with their files', async () => {
    const start = new Date('2026-11-21T10:00:00.000Z')
    site.setNow(start)
    const short = await share(png, '1')
    const long = await share(png, '48')
    const stem = (answer: ApiResponse) => answer.body.filename.split('.')[0]
    const filesOf = async (answer: ApiResponse) =>
      (await listStoredFiles(site)).filter((name) => name.startsWith(stem(answer)))
    expect([(await filesOf(short)).length, (await filesOf(long)).length]).toEqual([3, 3])
    site.setNow(new Date(start.getTime() + HOUR))
    await deleteExpiredImageShares(site.app.services)
    expect([(await filesOf(short)).length, (await filesOf(long)).length]).toEqual([0, 3])
    const rows = await site.app.services.db.select().from(imageShare)
    expect(rows.some((row) => row.id === idOf(short))).toBe(false)
    expect(rows.some((row) => row.id === idOf(long))).toBe(true)
    expect((await get(long.body.imageUrl)).statusCode).toBe(200)
  })

  test('deletes files without a share and keeps others', async () => {
    const answer = await share()
    const lost = `${'0'.repeat(24)}-${(Date.now() + HOUR).toString(36)}.png`
    await site.app.services.files.put(lost, png)
    await deleteOrphanedFiles(site.app.services, imageReferences, 0)
    const names = await listStoredFiles(site)
    expect(names).toContain(answer.body.filename)
    expect(names).not.toContain(lost)
  })
})

describe('the delete link of a share', () => {
  test('deletes page, share and files with POST, and nothing with GET', async () => {
    const answer = await share()
    const { deleteUrl, imageUrl } = answer.body
    const path = `${SHARES}/${idOf(answer)}`
    const token = new URL(deleteUrl).searchParams.get('token')
    expect((await get(`${path}/delete?token=${token}`)).statusCode).toBe(404)
    const input = encodeURIComponent(JSON.stringify({ json: { id: idOf(answer), token } }))
    expect((await get(`/trpc/image.deletable?input=${input}`)).statusCode).toBe(200)
    expect((await get(path)).json().imageShare.views).toBe(1)
    const done = await callApi(site, 'POST', `${path}/delete`, { json: { token } })
    expect([done.status, done.body]).toEqual([200, { success: true }])
    for (const url of [path, imageUrl]) expect((await get(url)).json()).toEqual(GONE)
    const stem = answer.body.filename.split('.')[0]
    expect((await listStoredFiles(site)).filter((name) => name.startsWith(stem))).toEqual([])
    expect((await callApi(site, 'POST', `${path}/delete`, { json: { token } })).status).toBe(404)
  })

  test('is rejected if the token is wrong, missing or of another image', async () => {
    const answer = await share()
    const path = `${SHARES}/${idOf(answer)}/delete`
    const other = new URL((await share()).body.deleteUrl).searchParams.get('token')
    for (const token of [other, '', 'x', idOf(answer), '\0', '\ud800', 'x'.repeat(10_000)]) {
      const refused = await callApi(site, 'POST', path, { json: { token } })
      expect([refused.status, refused.body.error]).toEqual([404, 'This delete link is not valid'])
    }
    for (const token of [undefined, null, 1, {}, []]) {
      expect((await callApi(site, 'POST', path, { json: { token } })).status).toBe(400)
    }
    expect((await get(answer.body.imageUrl)).statusCode).toBe(200)
  })

  test('is stored only as a hash', async () => {
    const token = new URL((await share()).body.deleteUrl).searchParams.get('token') as string
    expect(JSON.stringify(await site.app.services.db.select().from(imageShare))).not.toContain(token)
  })
})
