import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eraseOldPosts } from '#server/features/board/states/cleanup.ts'
import { BOARDS, callApi, createBoard, postComment, postThread } from '#tests/helpers/apiCalls.ts'
import { parseBody, requestRaw } from '#tests/helpers/rawHttp.ts'
import { animatedImage, noiseBytes, stillImage } from '#tests/helpers/sampleImages.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import { listStoredFiles } from '#tests/helpers/storageSnapshot.ts'

const UPLOADS = '/dtpchan/uploads'
const GONE = { success: false, error: 'Image not found or expired' }

let site: TestSite
let origin: string
let admin: string
let url: string
let name: string
let bytes: Buffer

const picture = (data: Uint8Array, type: string) => new File([new Uint8Array(data)], 'a', { type })
const get = (path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  site.app.inject({ method, url: path, headers })

beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
  await createBoard(site, 'Pics', admin)
  origin = await site.app.listen({ port: 0, host: '127.0.0.1' })
  const { thread } = (
    await postThread(site, 'pics', { image: picture(await stillImage(640, 480).png().toBuffer(), 'image/png') })
  ).body
  url = thread.image
  name = url.slice(UPLOADS.length + 1)
  bytes = (await get(url)).rawPayload
})
afterAll(() => site.close())

describe('an image', () => {
  test('is served completely, sandboxed, under a random name', async () => {
    const answer = await get(url)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(bytes.length),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'accept-ranges': 'bytes',
      'cache-control': 'public, max-age=300, must-revalidate',
      etag: `"${name}"`,
    })
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 640, height: 480 })
    expect(name).toMatch(/^[0-9a-f]{24}\.png$/)
  })

  test('answers 304 to a client that has it', async () => {
    for (const tag of [`"${name}"`, `W/"${name}"`, `"x", "${name}"`, '*']) {
      const answer = await get(url, { 'if-none-match': tag })
      expect([tag, answer.statusCode, answer.body]).toEqual([tag, 304, ''])
      expect(answer.headers.etag).toBe(`"${name}"`)
    }
    for (const tag of ['"x"', name, `"x${name}"`, '']) {
      expect([tag, (await get(url, { 'if-none-match': tag })).statusCode]).toEqual([tag, 200])
    }
  })

  test.each<[string, (size: number) => [start: number, end: number]]>([
    ['bytes=0-99', () => [0, 99]],
    ['bytes=0-0', () => [0, 0]],
    ['bytes=100-', (size) => [100, size - 1]],
    ['bytes=-100', (size) => [size - 100, size - 1]],
    ['bytes=-999999', (size) => [0, size - 1]],
    ['bytes=50-999999', (size) => [50, size - 1]],
    ['Bytes=5-9', () => [5, 9]],
  ])('is served partially for %s', async (range, expected) => {
    const [start, end] = expected(bytes.length)
    const answer = await get(url, { range })
    expect(answer.statusCode).toBe(206)
    expect(answer.headers).toMatchObject({
      'content-range': `bytes ${start}-${end}/${bytes.length}`,
      'content-length': String(end - start + 1),
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
    })
    expect(answer.rawPayload.equals(bytes.subarray(start, end + 1))).toBe(true)
  })

  test.each(['bytes=999999-', 'bytes=999999-9999999', 'bytes=-0'])('answers 416 for %s', async (range) => {
    const answer = await get(url, { range })
    expect([answer.statusCode, answer.headers['content-range']]).toEqual([416, `bytes */${bytes.length}`])
    expect(answer.json()).toEqual({ success: false, error: 'The requested range is not in the file' })
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  test.each([
    'bytes=0-1,5-6',
    'bytes=9-5',
    'bytes=-',
    'bytes=a-b',
    'bytes',
    'lines=0-1',
    'bytes=0x0-5',
    'bytes= 0-5',
    'bytes=0-5 ',
    `bytes=${'9'.repeat(400)}-`,
    'bytes=-5-',
  ])('is served completely for the unsupported range %s', async (range) => {
    const answer = await get(url, { range })
    expect([answer.statusCode, answer.rawPayload.equals(bytes)]).toEqual([200, true])
  })

  test('is served completely for a range of another version', async () => {
    const range = 'bytes=0-9'
    expect((await get(url, { range, 'if-range': '"another"' })).statusCode).toBe(200)
    expect((await get(url, { range, 'if-range': `"${name}"` })).statusCode).toBe(206)
  })

  test('has its size in the response to HEAD', async () => {
    for (const headers of [{ range: '' }, { range: 'bytes=0-9' }]) {
      const answer = await get(url, headers, 'HEAD')
      expect([answer.statusCode, answer.body]).toEqual([200, ''])
      expect(answer.headers).toMatchObject({ 'content-length': String(bytes.length), 'content-type': 'image/png' })
    }
    expect((await get(`${UPLOADS}/none.png`, {}, 'HEAD')).statusCode).toBe(404)
    expect((await get(url, { 'if-none-match': `"${name}"` }, 'HEAD')).statusCode).toBe(304)
  })
})

describe('names', () => {
  test.each([
    'none.png',
    `${'0'.repeat(24)}.png`,
    '.png',
    'png',
    '..',
    '../../secret.key',
    '..%2f..%2fsecret.key',
    '..%2f..%2fsecret.png',
    '%2e%2e%2fsecret.png',
    '....//secret.png',
    '..%5csecret.png',
    '%2fetc%2fpasswd',
    '%00.png',
    'a%00.png',
    '%E0%A4%A.png',
    '%ff.png',
    '*.png',
    '.0a0a0a0a-0000-0000-0000-000000000000.tmp',
    `${'a'.repeat(101)}.png`,
    `${'a'.repeat(5000)}.png`,
    'a.svg',
    'a.html',
    '__proto__',
    'x.__proto__',
    'x.constructor',
    'x.toString',
  ])('answers 404 for %s', async (path) => {
    const answer = await requestRaw(origin, 'GET', `${UPLOADS}/${path}`)
    expect(answer.status).toBe(404)
    const body = parseBody(answer)
    expect(body.success).toBe(false)
    if (!path.includes('/')) expect(body).toEqual(GONE)
  })

  test('answers 404 for variants of a valid name', async () => {
    const shard = name.slice(0, 2)
    for (const path of [
      `${shard}/${name}`,
      `${shard}%2f${name}`,
      name.toUpperCase(),
      `${name}.png`,
      `${name}%20`,
      `.${name}`,
    ]) {
      const answer = await get(`${UPLOADS}/${path}`)
      expect([path, answer.statusCode]).toEqual([path, 404])
      expect(answer.headers['cache-control'] ?? '').not.toContain('max-age')
    }
  })

  test('does not list the folder', async () => {
    for (const path of [UPLOADS, `${UPLOADS}/`, `${UPLOADS}/${name.slice(0, 2)}/`]) {
      expect((await get(path)).statusCode).toBe(404)
    }
  })
})

describe('deletion', () => {
  test('hides all sizes of an image, and erases them when the post cannot be restored any more', async () => {
    const image = picture(await stillImage(1600, 1200).jpeg().toBuffer(), 'image/jpeg')
    const { thread } = (await postThread(site, 'pics', { image })).body
    const urls = [thread.image, thread.picture.preview.url, thread.picture.display.url]
    for (const one of urls) expect((await get(one)).statusCode).toBe(200)
    await callApi(site, 'DELETE', `${BOARDS}/pics/threads/${thread.id}`, { token: admin })
    for (const one of urls) {
      const tag = `"${one.slice(UPLOADS.length + 1)}"`
      for (const [header, value] of [
        ['accept', '*/*'],
        ['range', 'bytes=0-9'],
        ['if-none-match', tag],
      ] as const) {
        const answer = await get(one, { [header]: value })
        expect([answer.statusCode, answer.json()]).toEqual([404, GONE])
        expect(answer.headers['cache-control']).toBe('no-store')
      }
    }
    site.setNow(new Date(Date.now() + 8 * 24 * 60 * 60 * 1000))
    await eraseOldPosts(site.app.services)
    site.setNow(null)
    expect(await listStoredFiles(site)).toHaveLength(3)
  })
})

describe('sizes', () => {
  test('a very tall image has thumbnails of its upper part, as wide as the box allows', async () => {
    const image = picture(await stillImage(400, 3000).png().toBuffer(), 'image/png')
    const { thread } = (await postThread(site, 'pics', { image })).body
    expect(thread.picture).toMatchObject({
      ...{ width: 400, height: 3000 },
      preview: { width: 400, height: 250 },
      display: { width: 400, height: 500 },
    })
  })

  const kinds: [string, number, number, () => Promise<Buffer>][] = [
    ['wide', 3000, 400, () => stillImage(3000, 400).jpeg().toBuffer()],
    ['tall', 400, 1600, () => stillImage(400, 1600).png().toBuffer()],
    ['large', 2400, 2400, () => stillImage(2400, 2400).webp().toBuffer()],
    ['small', 64, 48, () => stillImage(64, 48).png().toBuffer()],
    ['a dot', 1, 1, () => stillImage(1, 1).png().toBuffer()],
    ['a line', 4000, 1, () => stillImage(4000, 1).png().toBuffer()],
    ['animated', 900, 800, () => animatedImage(3, 900, 800).gif().toBuffer()],
    [
      'noise',
      700,
      700,
      () =>
        sharp(noiseBytes(700 * 700 * 3), { raw: { width: 700, height: 700, channels: 3 } })
          .png()
          .toBuffer(),
    ],
  ]

  test.each(kinds)(
    '%s, %i × %i: preview and display fit their limits and are never enlarged',
    async (_name, width, height, make) => {
      const data = await make()
      const image = () => picture(data, 'image/png')
      const { thread } = (await postThread(site, 'pics', { image: image() })).body
      const at = { boardId: 'pics', threadId: thread.id }
      const { comment } = (await postComment(site, at, { image: image() })).body
      const { reply } = (await postComment(site, { ...at, commentId: comment.id }, { image: image() })).body
      for (const [post, tallest] of [
        [thread, 500],
        [comment, 300],
        [reply, 250],
      ] as const) {
        const { preview, display, ...full } = post.picture
        expect(full).toMatchObject({ url: post.image, width, height })
        const boxes = [
          [full, 100_000, 100_000],
          [preview, 320, 200],
          [display, 680, tallest],
        ]
        for (const [file, widest, highest] of boxes) {
          const stored = await sharp((await get(file.url)).rawPayload).metadata()
          expect([stored.width, stored.height]).toEqual([file.width, file.height])
          // at most two image pixels per CSS pixel, and never more than the image has
          expect(file.width).toBeLessThanOrEqual(Math.min(2 * widest, width))
          expect(file.height).toBeLessThanOrEqual(Math.min(2 * highest, height))
          const scale = Math.min(1, (2 * widest) / width, (2 * highest) / height)
          expect(Math.abs(file.width - Math.max(1, width * scale))).toBeLessThanOrEqual(1)
          expect(Math.abs(file.height - Math.max(1, height * scale))).toBeLessThanOrEqual(1)
        }
      }
    },
  )
})
