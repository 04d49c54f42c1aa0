import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ApiResponse,
  BOARDS,
  callApi,
  createBoard,
  postComment,
  postThread,
  solveChallenge,
} from '#tests/helpers/apiCalls.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import { BOUNDARY, FORM_TYPE, fieldPart, filePart, formBody, part } from '#tests/helpers/multipart.ts'
import { encodeHead, parseBody, sendRaw } from '#tests/helpers/rawHttp.ts'
import {
  gifWithFrames,
  noiseBytes,
  pngChunk,
  pngWithClaimedSize,
  stillImage,
  withPngChunks,
} from '#tests/helpers/sampleImages.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import { expectRefused, listStoredFiles } from '#tests/helpers/storageSnapshot.ts'

const THREADS = `${BOARDS}/forms/threads`
const MiB = 1024 * 1024
const NOT_IMAGE = [415, 'Please select a valid image file (JPEG, PNG, GIF, or WebP)'] as const
const TOO_BIG = [413, 'File size must be less than 5MB'] as const
const TOO_MANY_PIXELS = [413, 'This image has too many pixels'] as const
const UNREADABLE = [400, 'The request could not be read'] as const
const TOO_LARGE = [413, 'The request is too large'] as const

let site: TestSite
let origin: string
let admin: string
let png: Buffer
let jpeg: Buffer
beforeAll(async () => {
  // One test waits until the server no longer discards the rest of a body.
  site = await startSite({ THREAD_POST_LIMIT: '3' }, { connectionLimits: { refusedBodyMs: 3000 } })
  admin = await site.createToken('admin@example.org', 'admin')
  await createBoard(site, 'Forms', admin)
  origin = await site.app.listen({ port: 0, host: '127.0.0.1' })
  png = await stillImage().png().toBuffer()
  jpeg = await stillImage().jpeg().toBuffer()
})
afterAll(() => site.close())

/** Returns the form parts of a thread with a solved captcha. */
async function fields(without: string[] = []): Promise<Buffer[]> {
  const values = { title: 'A title', content: 'Some text', author: 'gl1tch', ...(await solveChallenge(site)) }
  return Object.entries(values).flatMap(([name, value]) => (without.includes(name) ? [] : fieldPart(name, value)))
}
const post = (body: Buffer, type = FORM_TYPE): Promise<ApiResponse> =>
  callApi(site, 'POST', THREADS, { raw: body, type })

const refused = (run: Parameters<typeof expectRefused>[1], [status, error]: readonly [number, string]) =>
  expectRefused(site, run, status, error)

/** Expects the form to be accepted. */
async function taken(body: Buffer, type?: string) {
  const answer = await post(body, type)
  expect([answer.status, answer.body.error]).toEqual([200, undefined])
  return answer.body.thread
}

describe('forms', () => {
  test.each([
    ['inside the first boundary', (form: Buffer) => form.subarray(0, 6)],
    ['inside a header', (form: Buffer) => form.subarray(0, form.indexOf('name="content"'))],
    ['behind a header', (form: Buffer) => form.subarray(0, form.indexOf('Some text'))],
    ['inside a field', (form: Buffer) => form.subarray(0, form.indexOf('text'))],
    ['between two parts', (form: Buffer) => form.subarray(0, form.indexOf(`--${BOUNDARY}`, 30))],
    ['inside the header of the file', (form: Buffer) => form.subarray(0, form.indexOf('filename'))],
    ['inside the file', (form: Buffer) => form.subarray(0, form.indexOf('IDAT'))],
    ['before the end of the last boundary', (form: Buffer) => form.subarray(0, -4)],
    ['before its last boundary', (form: Buffer) => form.subarray(0, -BOUNDARY.length - 6)],
  ])('refuses a form truncated %s', async (_name, cut) => {
    const form = formBody(...(await fields()), filePart('image', 'a.png', 'image/png', png))
    await refused(() => post(cut(form)), UNREADABLE)
    // The refusal did not use up the captcha.
    await taken(form)
  })

  test('refuses a wrong, missing or binary boundary', async () => {
    const form = formBody(...(await fields()))
    await refused(() => post(form, 'multipart/form-data; boundary=another'), UNREADABLE)
    await refused(() => post(form, 'multipart/form-data'), UNREADABLE)
    await refused(() => post(form, 'multipart/form-data; boundary='), UNREADABLE)
    // The longest boundary that the parser looks for, and one that it refuses.
    for (const length of [252, 5000])
      await refused(() => post(form, `multipart/form-data; boundary=${'x'.repeat(length)}`), UNREADABLE)
    const mixed = [415, 'The request must be JSON or a multipart form'] as const
    await refused(() => post(form, 'multipart/mixed; boundary=x'), mixed)
    await taken(form, `Multipart/Form-Data; charset=utf-8; boundary="${BOUNDARY}"`)
  })

  test('ignores bytes before the first and after the last boundary', async () => {
    const form = formBody(...(await fields()))
    await taken(Buffer.concat([Buffer.from('junk\r\n'.repeat(50_000)), form, Buffer.from('junk '.repeat(50_000))]))
  })

  test('refuses no part, an empty body, and parts without a name', async () => {
    const required = [400, 'Title and content are required'] as const
    await refused(() => post(formBody()), required)
    await refused(() => post(Buffer.alloc(0)), required)
    await refused(() => post(formBody(Buffer.from(`--${BOUNDARY}\r\n\r\nx\r\n`))), required)
    await refused(() => post(formBody(part('form-data', 'x'))), required)
    await refused(() => post(formBody(part('attachment; name="title"', 'x'))), required)
  })

  test('accepts parts in any order', async () => {
    const thread = await taken(formBody(filePart('image', 'a.png', 'image/png', png), ...(await fields()).reverse()))
    expect(thread.picture).toMatchObject({ width: 64, height: 48 })
  })

  test.each(['title', 'content', 'author', 'links', 'captchaAnswer', 'challengeId', 'unknown'])(
    'refuses %s twice',
    async (name) => {
      const form = [...(await fields([name])), fieldPart(name, '1'), fieldPart(name, '2')]
      await refused(() => post(formBody(...form)), UNREADABLE)
    },
  )

  test('refuses a fifth image', async () => {
    const image = filePart('image', 'a.png', 'image/png', png)
    const texts = await fields()
    const tooMany = [400, 'At most 4 images can be attached'] as [number, string]
    for (const count of [5, 6, 20]) {
      const images = Array.from({ length: count }, () => image)
      await refused(() => post(formBody(...texts, ...images)), tooMany)
      await refused(() => post(formBody(...images, ...texts)), tooMany)
    }
    expect((await taken(formBody(image, image, ...texts, image, image))).pictures).toHaveLength(4)
  })

  test('refuses ten thousand parts', async () => {
    const texts = await fields()
    const many = Array.from({ length: 10_000 }, (_, number) => fieldPart(`f${number}`, 'x'))
    await refused(() => post(formBody(...many, ...texts)), TOO_LARGE)
    await refused(() => post(formBody(...texts, ...many)), TOO_LARGE)
    const files = Array.from({ length: 10_000 }, () => filePart('image', 'a.txt', 'text/plain', 'x'))
    await refused(() => post(formBody(...files, ...texts)), TOO_LARGE)
  })

  test('refuses an endless header', async () => {
    const long = part(`form-data; x="${'y'.repeat(200_000)}"; name="title"`, 'A title')
    const form = formBody(...(await fields(['title'])), long)
    await refused(() => post(form), [400, 'Title and content are required'])
  })

  test('accepts a text field with a content type', async () => {
    const kinds = [
      'text/plain; charset=utf-8',
      'text/plain;charset=UTF-8',
      'application/json',
      'application/octet-stream',
    ]
    for (const type of kinds) {
      const title = part('form-data; name="title"', '"é日😀"', type)
      expect((await taken(formBody(title, ...(await fields(['title']))))).title).toBe('"é日😀"')
    }
  })
})

describe('files that are not images', () => {
  const no = Buffer.alloc(0)
  test.each([
    ['the empty file of a browser’s form', filePart('image', '', 'application/octet-stream', no)],
    ['a text', filePart('image', 'a.png', 'text/plain', 'hello')],
    ['a page', filePart('image', 'a.png', 'text/html', '<script>alert(1)</script>')],
    ['no declared type', part('form-data; name="image"; filename="a.png"', 'hello')],
    ['an unknown type', filePart('image', 'a.png', 'imagery/png', 'hello')],
    ['a large one', filePart('image', 'a.bin', 'application/zip', Buffer.alloc(6 * MiB))],
    ['an image in another field', filePart('picture', 'a.png', 'image/png', 'no image at all')],
    ['a file where a text belongs', filePart('links', 'a.txt', 'text/plain', 'no links at all')],
    ['an image as text', fieldPart('image', 'data:image/png;base64,AAAA')],
    ['an empty text', fieldPart('image', '')],
  ])('ignores %s', async (_name, file) => {
    const before = await listStoredFiles(site)
    expect((await taken(formBody(file, ...(await fields())))).image).toBeNull()
    expect(await listStoredFiles(site)).toEqual(before)
  })
})

describe('images', () => {
  test.each([
    ['a PNG called JPEG', 'a.jpg', 'image/jpeg', () => png, 'png'],
    ['a JPEG called SVG', 'a.svg', 'image/svg+xml', () => jpeg, 'jpg'],
    ['an unheard-of type', 'a', 'IMAGE/x-anything', () => png, 'png'],
    ['no name', '', 'image/png', () => png, 'png'],
    ['a name that climbs', '../../../etc/passwd', 'image/png', () => png, 'png'],
    ['a name with a NUL', 'a\0.html', 'image/png', () => png, 'png'],
  ])('detects the type of %s by its bytes', async (_name, filename, type, bytes, ext) => {
    const thread = await taken(formBody(...(await fields()), filePart('image', filename, type, bytes())))
    expect(thread.image).toMatch(new RegExp(`^/dtpchan/uploads/[0-9a-f]{24}\\.${ext}$`))
  })

  test('accepts an image without a file name', async () => {
    const image = part('form-data; name="image"', png, 'image/png')
    expect((await taken(formBody(...(await fields()), image))).image).not.toBeNull()
  })

  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  test.each([
    ['nothing', () => Buffer.alloc(0)],
    ['SVG', () => Buffer.from(svg)],
    ['HTML', () => Buffer.from('<!doctype html><img src=x onerror=alert(1)>')],
    ['PDF', () => Buffer.from('%PDF-1.7\n1 0 obj<<>>endobj')],
    ['BMP', () => Buffer.concat([Buffer.from('BM'), noiseBytes(2000)])],
    ['TIFF', () => stillImage().tiff().toBuffer()],
    ['AVIF', () => stillImage().avif().toBuffer()],
    ['ZIP', () => Buffer.concat([Buffer.from('PK\x03\x04'), noiseBytes(2000)])],
    ['noise', () => noiseBytes(5000)],
    ['a PNG’s signature alone', () => png.subarray(0, 8)],
    ['a GIF’s head alone', () => Buffer.from('GIF89a')],
    ['a page behind a GIF’s head', () => Buffer.from(`GIF89a/*${svg}*/=1`)],
    ['a PNG behind one byte', () => Buffer.concat([Buffer.from([0]), png])],
    ['a PNG with a changed byte', () => Buffer.from(png).fill(0xff, png.indexOf('IDAT') + 8, png.indexOf('IDAT') + 12)],
  ])('refuses %s declared as image/png', async (_name, bytes) => {
    const image = filePart('image', 'a.png', 'image/png', await bytes())
    const texts = await fields()
    await refused(() => post(formBody(...texts, image)), NOT_IMAGE)
  })

  test.each<[string, () => Buffer]>([
    ['PNG', () => png.subarray(0, png.length / 2)],
    ['JPEG', () => jpeg.subarray(0, jpeg.length / 2)],
  ])('says that half a %s is incomplete', async (_name, bytes) => {
    const texts = await fields()
    const body = formBody(...texts, filePart('image', 'a.png', 'image/png', bytes()))
    await refused(() => post(body), [415, 'This image file is incomplete'])
  })

  test('accepts 5 MiB and refuses one more byte', async () => {
    const exact = withPngChunks(png, pngChunk('prVt', noiseBytes(5 * MiB - png.length - 12)))
    expect(exact.length).toBe(5 * MiB)
    const thread = await taken(formBody(...(await fields()), filePart('image', 'a.png', 'image/png', exact)))
    expect(thread.picture.bytes).toBeLessThan(10_000)
    for (const bytes of [
      withPngChunks(png, pngChunk('prVt', noiseBytes(5 * MiB - png.length - 11))),
      noiseBytes(25 * MiB),
    ]) {
      const form = formBody(filePart('image', 'a.png', 'image/png', bytes), ...(await fields()))
      await refused(() => post(form), TOO_BIG)
    }
  })

  test.each([
    ['20,000 × 20,000', () => pngWithClaimedSize(20_000, 20_000, Buffer.alloc(1000))],
    ['65,535 × 65,535', () => pngWithClaimedSize(65_535, 65_535, Buffer.alloc(1000))],
    ['a thousand frames of 400 × 400', () => gifWithFrames(1000, 400)],
  ])('refuses the pixels of %s', async (_name, bytes) => {
    const form = formBody(...(await fields()), filePart('image', 'a.png', 'image/png', bytes()))
    await refused(() => post(form), TOO_MANY_PIXELS)
  })

  test('stores no image of a post with an invalid target', async () => {
    const threadId = (await postThread(site, 'forms')).body.thread.id
    const image = new File([new Uint8Array(png)], 'a.png', { type: 'image/png' })
    await refused(() => postThread(site, 'nowhere', { image }), [404, 'Board not found'])
    await refused(
      () => postComment(site, { boardId: 'forms', threadId: 999_999 }, { image }),
      [404, 'Thread not found'],
    )
    const wrong = { image, captchaAnswer: '100' }
    await refused(
      () => postComment(site, { boardId: 'forms', threadId }, wrong),
      [400, 'Wrong or expired answer. Your text is safe; solve the new one.'],
    )
  })

  test('refuses posts beyond the limit of a thread, also concurrent ones, and stores no files of them', async () => {
    const full = [409, 'This thread is full'] as const
    const image = () => new File([new Uint8Array(png)], 'a.png', { type: 'image/png' })
    const threadId = (await postThread(site, 'forms')).body.thread.id
    const at = { boardId: 'forms', threadId }
    const before = (await listStoredFiles(site)).length
    const responses = await Promise.all(Array.from({ length: 10 }, () => postComment(site, at, { image: image() })))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, ...Array(7).fill(409)])
    expect((await listStoredFiles(site)).length).toBe(before + 3 * 3)
    const commentId = responses.find(({ status }) => status === 200)?.body.comment.id
    const broken = new File(['no picture'], 'a.png', { type: 'image/png' })
    await refused(() => postComment(site, at, { image: broken }), full)
    await refused(() => postComment(site, { ...at, commentId }, { image: broken }), full)
    const { thread } = (await callApi(site, 'GET', `${THREADS}/${threadId}`)).body
    expect([thread.commentCount, thread.comments.length]).toEqual([3, 3])
    await callApi(site, 'DELETE', `${THREADS}/${threadId}/comments/${commentId}`, { token: admin })
    expect((await postComment(site, at)).status).toBe(200)
  })
})

describe('deletion', () => {
  test('hides the files of a reply, a comment with replies and a thread, and removes all files of a board', async () => {
    const boardId = await createBoard(site, 'Files', admin)
    const allBefore = await listStoredFiles(site)
    const listPublicFiles = async () => (await listStoredFiles(site)).filter((name) => !name.endsWith('.withheld'))
    const before = await listPublicFiles()
    const image = () => new File([new Uint8Array(jpeg)], 'a.jpg', { type: 'image/jpeg' })
    const grow = async () => {
      const threadId = (await postThread(site, boardId, { image: image() })).body.thread.id
      const commentId = (await postComment(site, { boardId, threadId }, { image: image() })).body.comment.id
      const at = { boardId, threadId, commentId }
      const { reply } = (await postComment(site, at, { image: image() })).body
      const { id } = (await postComment(site, at, { image: image() })).body.reply
      const thread = `${BOARDS}/${boardId}/threads/${threadId}`
      return {
        thread,
        comment: `${thread}/comments/${commentId}`,
        reply: `${thread}/comments/${commentId}/replies/${id}`,
        url: reply.image,
      }
    }
    const remove = async (url: string) => {
      expect((await callApi(site, 'DELETE', url, { token: admin })).body).toEqual({ success: true })
      return (await listPublicFiles()).length - before.length
    }
    const first = await grow()
    expect((await listPublicFiles()).length - before.length).toBe(4 * 3)
    expect(await remove(first.reply)).toBe(3 * 3)
    expect(await remove(first.comment)).toBe(3)
    expect(await remove(first.thread)).toBe(0)
    const second = await grow()
    expect(await remove(second.thread)).toBe(0)
    const third = await grow()
    await grow()
    expect((await callApi(site, 'GET', third.url)).status).toBe(200)
    expect(await remove(`${BOARDS}/${boardId}`)).toBe(0)
    expect((await callApi(site, 'GET', third.url)).status).toBe(404)
    expect(await listStoredFiles(site)).toEqual(allBefore)
  })
})

describe('raw requests', () => {
  const head = (length: number, path = THREADS, ...lines: string[]) =>
    encodeHead('POST', path, [`Content-Type: ${FORM_TYPE}`, `Content-Length: ${length}`, ...lines])
  const CLOSE = 'Connection: close'
  const send = async (sent: (string | Uint8Array)[], options?: { halfClose: boolean }) => {
    const [response] = (await sendRaw(origin, sent, options)).responses
    if (!response) throw new Error('No response')
    return { status: response.status, body: parseBody(response) }
  }

  test('posts nothing of a form that ends early', async () => {
    const form = formBody(...(await fields()), filePart('image', 'a.png', 'image/png', png))
    for (const bytes of [20, form.indexOf('IDAT'), form.length - 3]) {
      await refused(() => send([head(form.length), form.subarray(0, bytes)], { halfClose: true }), UNREADABLE)
    }
    const chunk = Buffer.from(`${form.length.toString(16)}\r\n`)
    const chunked = encodeHead('POST', THREADS, [`Content-Type: ${FORM_TYPE}`, 'Transfer-Encoding: chunked'])
    await refused(() => send([chunked, chunk, form.subarray(0, 200)], { halfClose: true }), UNREADABLE)
    await taken(form)
  })

  test('refuses other bodies that end early', async () => {
    const json = encodeHead('POST', THREADS, ['Content-Type: application/json', 'Content-Length: 100'])
    await refused(() => send([json, '{"title":'], { halfClose: true }), UNREADABLE)
    await refused(() => send([json], { halfClose: true }), UNREADABLE)
  })

  test.each([
    ['half a head', 'POST /api/dtpchan/boards HTTP/1.1\r\nHost: x\r\nContent-', UNREADABLE],
    ['half a first line', 'GET /api/dtp', UNREADABLE],
    ['no HTTP', 'hello\r\n\r\n', UNREADABLE],
    ['TLS', Buffer.from('1603010200010001fc0303', 'hex'), UNREADABLE],
    ['a length that is no number', encodeHead('POST', THREADS, ['Content-Length: x']), UNREADABLE],
    ['two lengths', encodeHead('POST', THREADS, ['Content-Length: 1', 'Content-Length: 2']), UNREADABLE],
    ['length and chunks', encodeHead('POST', THREADS, ['Content-Length: 1', 'Transfer-Encoding: chunked']), UNREADABLE],
    ['a space before a colon', encodeHead('GET', BOARDS, ['X : y']), UNREADABLE],
    ['a bare byte in the path', encodeHead('GET', `${BOARDS}/\xff`), UNREADABLE],
    ['a NUL in a header', encodeHead('GET', BOARDS, ['X: a\0b']), UNREADABLE],
    ['a head too large', encodeHead('GET', BOARDS, [`X: ${'y'.repeat(20_000)}`]), [431, TOO_LARGE[1]] as const],
  ])('refuses %s', async (_name, bytes, expected) => {
    await refused(() => send([bytes], { halfClose: true }), expected)
  })

  test('refuses an announced body of a hundred megabytes after six', async () => {
    const announced = head(100 * MiB, THREADS, CLOSE)
    await refused(
      () => send([announced, filePart('file', 'a.bin', 'application/zip', Buffer.alloc(6 * MiB))]),
      TOO_LARGE,
    )
  })

  test.each([
    ['JSON', 'application/json'],
    ['a form', FORM_TYPE],
  ])('delivers the refusal of ten megabytes of %s and keeps the connection', async (_name, type) => {
    const text = 'x'.repeat(10 * MiB)
    const body = type === FORM_TYPE ? formBody(fieldPart('title', text)) : Buffer.from(JSON.stringify({ title: text }))
    const large = encodeHead('POST', THREADS, [`Content-Type: ${type}`, `Content-Length: ${body.length}`])
    const { responses } = await sendRaw(origin, [large, body, encodeHead('GET', '/healthz', [CLOSE])])
    const refusal = { success: false, error: TOO_LARGE[1] }
    expect(responses.map((response) => [response.status, parseBody(response)])).toEqual([
      [413, refusal],
      [200, { status: 'ok' }],
    ])
  })

  test.runIf(isDeep)('refuses a form that the parser never finishes, and frees the connection', async () => {
    const type = 'multipart/form-data; boundary=edge'
    const parts = ['Content-Disposition: form-data; name="x"\r\n\r\n--edge\n', `Content-Disposition: form-data\r\n\r\n`]
    const form = Buffer.from(`${parts.map((one) => `--edge\r\n${one}`).join('')}${'x'.repeat(17_626)}\r\n--edge--\r\n`)
    const lines = [`Content-Type: ${type}`, `Content-Length: ${form.length}`]
    const sent = [encodeHead('POST', THREADS, lines), form, encodeHead('GET', '/healthz', [CLOSE])]
    const { responses } = await sendRaw(origin, sent)
    expect(responses.map(({ status }) => status)).toEqual([400, 200])
  })

  test('frees the connection of a form refused while it is sent', async () => {
    const big = filePart('image', 'a.png', 'image/png', noiseBytes(4 * MiB))
    const form = formBody(fieldPart('title', '1'), fieldPart('title', '2'), big, big)
    const { responses } = await sendRaw(origin, [head(form.length), form, encodeHead('GET', '/healthz', [CLOSE])])
    expect(responses.map(({ status }) => status)).toEqual([400, 200])
  })

  test('refuses endless chunks as too large', async () => {
    const chunked = encodeHead('POST', THREADS, [`Content-Type: ${FORM_TYPE}`, 'Transfer-Encoding: chunked'])
    const mib = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(MiB, 'x'), Buffer.from('\r\n')])
    const opening = filePart('image', 'a.png', 'text/plain', '').subarray(0, -2)
    const first = Buffer.concat([Buffer.from(`${opening.length.toString(16)}\r\n`), opening, Buffer.from('\r\n')])
    await refused(
      () => send([chunked, first, ...Array(70).fill(mib), '0\r\n\r\n', encodeHead('GET', BOARDS, [CLOSE])]),
      TOO_LARGE,
    )
  })

  test('leaves no incomplete file in the folder', async () => {
    const names = await readdir(join(site.dataDir, 'uploads'), { recursive: true })
    expect(names.filter((name) => name.includes('.tmp'))).toEqual([])
    expect((await callApi(site, 'GET', '/healthz')).status).toBe(200)
  })
})
