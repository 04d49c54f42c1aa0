import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { CARD } from '#src/contract/image.ts'
import { defaultSite } from '#src/contract/site.ts'
import { BOARDS, callApi, createBoard, postComment, postThread } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

let site: TestSite
let admin: string

beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
  await createBoard(site, 'Pics', admin)
})
afterAll(() => site.close())

const get = (url: string, headers: Record<string, string> = {}) => site.app.inject({ method: 'GET', url, headers })
const cardOf = (threadId: number | string, board = 'pics') => `/dtpchan/board/${board}/thread/${threadId}/preview.jpg`
const createThread = async (fields: Record<string, string | Blob>): Promise<number> =>
  (await postThread(site, 'pics', fields)).body.thread.id
const colour = async (width: number, height: number, background: string) =>
  new File(
    [
      new Uint8Array(
        await sharp({ create: { width, height, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    ],
    'a.png',
    { type: 'image/png' },
  )

/** Returns the colour in the middle of the place for the thread's picture. */
async function pictureColour(jpeg: Buffer): Promise<number[]> {
  const pixel = await sharp(jpeg).extract({ left: 930, top: 340, width: 1, height: 1 }).raw().toBuffer()
  return [...pixel]
}
const isNear = (colour: number[], [...expected]: number[]) =>
  colour.every((value, index) => Math.abs(value - (expected[index] ?? 0)) < 12)

describe('the preview image of a thread', () => {
  test('has the size that the page states, and is cached', async () => {
    const id = await createThread({ title: 'Which soldering iron?' })
    const answer = await get(cardOf(id))
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'public, max-age=300, must-revalidate',
    })
    expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ format: 'jpeg', ...CARD })
    const again = await get(cardOf(id), { 'if-none-match': String(answer.headers.etag) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  test('shows the picture, unless it is covered', async () => {
    const image = await colour(300, 200, '#c04020')
    const plain = await createThread({ title: 'Plain', image })
    expect(isNear(await pictureColour((await get(cardOf(plain))).rawPayload), [0xc0, 0x40, 0x20])).toBe(true)
    const { status } = await callApi(site, 'POST', '/api/moderation/act', {
      token: admin,
      json: { boardId: 'pics', postId: plain, action: 'spoiler', reason: 'test' },
    })
    expect(status).toBe(200)
    expect(isNear(await pictureColour((await get(cardOf(plain))).rawPayload), [0x0d, 0x0d, 0x12])).toBe(true)
  })

  test('differs by title, and is the image of the site for titles that the fonts lack', async () => {
    const draw = async (title: string) => (await get(cardOf(await createThread({ title })))).rawPayload
    const pixels = (bytes: Buffer) => sharp(bytes).raw().toBuffer()
    const [plain, cjk, arabic, emoji] = [
      await draw('Plain title'),
      await draw('日本語のタイトル'),
      await draw('عنوان'),
      await draw('🔥🔥'),
    ]
    expect((await pixels(cjk)).equals(await pixels(arabic))).toBe(true)
    expect((await pixels(cjk)).equals(await pixels(emoji))).toBe(true)
    expect((await pixels(cjk)).equals(await pixels(plain))).toBe(false)
  })

  test.each([
    ['long', 'reverse engineering '.repeat(10)],
    ['without spaces', 'W'.repeat(200)],
    ['with markup', '</svg><script>alert(1)</script>&amp;"\''],
    ['with stacked marks', 'Z\u0334\u0321\u0345algo'],
    ['in other Latin letters', 'Łódź Tiếng Việt Ünïcödé'],
  ])('is drawn for a title %s', async (_name, title) => {
    const answer = await get(cardOf(await createThread({ title })))
    expect(answer.statusCode).toBe(200)
    expect(await sharp(answer.rawPayload).metadata()).toMatchObject(CARD)
  })

  test('is drawn once for many requests and for new comments', async () => {
    const draw = vi.spyOn(site.app.services.images, 'card')
    const id = await createThread({ title: 'Drawn once' })
    await Promise.all(Array.from({ length: 5 }, () => get(cardOf(id))))
    await postComment(site, { boardId: 'pics', threadId: id })
    await get(cardOf(id))
    expect(draw).toHaveBeenCalledTimes(1)
    draw.mockRestore()
  })

  test('is gone with its thread', async () => {
    const id = await createThread({ title: 'Deleted' })
    const { headers } = await get(cardOf(id))
    await callApi(site, 'DELETE', `${BOARDS}/pics/threads/${id}`, { token: admin })
    for (const etag of ['"other"', String(headers.etag)]) {
      const answer = await get(cardOf(id), { 'if-none-match': etag })
      expect([answer.statusCode, answer.headers['cache-control']]).toEqual([410, 'no-store'])
    }
  })

  test.each([
    ['an unknown thread', cardOf(999_999)],
    ['an unknown board', cardOf(1, 'nowhere')],
    ['an impossible thread', cardOf('x')],
    ['an endless number', cardOf('9'.repeat(60))],
    ['a hostile board', cardOf(1, '..%2f..')],
  ])('answers 404 for %s', async (_name, url) => {
    expect((await get(url)).statusCode).toBe(404)
  })
})

test('the image of the site is a PNG of the stated size', async () => {
  const answer = await get('/og.png')
  expect(answer.statusCode).toBe(200)
  expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ format: 'png', ...CARD })
})

test('the image of a site whose name the fonts lack is drawn without the name', async () => {
  const other = await startSite({}, { site: { ...defaultSite, name: '日本', tagline: '日本' } })
  const answer = await other.app.inject('/og.png')
  expect(answer.statusCode).toBe(200)
  await other.close()
})

test('a network that requests many images is slowed down', async () => {
  const limited = await startSite({ RATE_LIMIT: 'on', REQUEST_COST_PER_NETWORK: '250/60s' })
  const token = await limited.createToken('admin@example.org', 'admin')
  await createBoard(limited, 'Pics', token)
  const statuses: number[] = []
  for (let index = 0; index < 4; index++) {
    const { thread } = (await postThread(limited, 'pics', { title: `Thread ${index}` })).body
    statuses.push((await limited.app.inject(cardOf(thread.id))).statusCode)
  }
  expect(statuses).toContain(429)
  await limited.close()
})
