import { readdir, readlink } from 'node:fs/promises'
import { type AddressInfo, connect } from 'node:net'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { feedPath } from '#src/contract/feeds.ts'
import { NEWS_PATH } from '#src/contract/news.ts'
import { BOARDS } from '#tests/helpers/apiCalls.ts'
import { fieldPart, filePart, formBody } from '#tests/helpers/multipart.ts'
import { encodeHead, requestRaw, sendRaw } from '#tests/helpers/rawHttp.ts'
import { noiseBytes } from '#tests/helpers/sampleImages.ts'
import { findHeaderErrors } from '#tests/helpers/securityHeaders.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const FORM_TYPE = 'Content-Type: multipart/form-data; boundary=edge-of-a-part'
const JSON_TYPE = 'Content-Type: application/json'
const CLOSE = 'Connection: close'
const MiB = 1024 * 1024
const TOO_SLOW = { success: false, error: 'The request took too long' }
/** Production limits divided by ten or more, but long enough for a busy machine. */
const connectionLimits = {
  headMs: 700,
  requestMs: 5000,
  idleMs: 4000,
  keepAliveMs: 500,
  checkMs: 50,
  refusedBodyMs: 700,
}

let site: TestSite
let origin: string
const bytesInFlight = () => site.app.services.bodyBudget.bytes()
/** incompressible noise */
let image: Buffer
const drips: NodeJS.Timeout[] = []
beforeAll(async () => {
  site = await startSite({}, { connectionLimits })
  await site.app.listen({ host: '127.0.0.1', port: 0 })
  image = await sharp(noiseBytes(250 * 250 * 3), { raw: { width: 250, height: 250, channels: 3 } })
    .png()
    .toBuffer()
  origin = `http://127.0.0.1:${(site.app.server.address() as AddressInfo).port}`
})
afterAll(async () => {
  for (const timer of drips) clearInterval(timer)
  await site.close()
})

const openConnections = () =>
  new Promise<number>((resolve) => site.app.server.getConnections((_error, count) => resolve(count)))

type End = { text: string; ms: number }

/** Sends `bytes`, then `more` every 20 ms. Resolves when the server closes the connection. */
function drip(bytes: Uint8Array | string, more = ''): Promise<End> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1')
    const started = performance.now()
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
    })
    socket.on('error', () => {})
    const timer = setInterval(() => more && socket.writable && socket.write(more), 20)
    drips.push(timer)
    socket.on('close', () => {
      clearInterval(timer)
      resolve({ text, ms: performance.now() - started })
    })
    socket.write(bytes)
  })
}

/** Parses a response; returns null if there is none. */
function read(text: string) {
  if (text === '') return null
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const named = lines
    .map((line) => /^([^:]*): (.*)$/.exec(line))
    .map((parts) => [parts?.[1]?.toLowerCase(), parts?.[2]])
  const headers: Record<string, string> = Object.fromEntries(named)
  return { status: Number(first.split(' ')[1]), body: JSON.parse(body), wrong: findHeaderErrors(headers) }
}
const refused = (status: number, body: object) => ({ status, body, wrong: [] })
const upload = (length: number) => encodeHead('POST', '/api/image-share', [FORM_TYPE, `Content-Length: ${length}`])

describe.concurrent('closes a connection that sends', () => {
  test('nothing', async () => {
    const { text, ms } = await drip('')
    expect(read(text)).toEqual(refused(408, TOO_SLOW))
    expect(ms).toBeGreaterThan(connectionLimits.headMs - 100)
  })

  test('a head slowly', async () => {
    const { text, ms } = await drip('GET /healthz HTTP/1.1\r\nHost: x\r\nX: ', 'x')
    expect(read(text)).toEqual(refused(408, TOO_SLOW))
    expect(ms).toBeLessThan(connectionLimits.requestMs)
  })

  test('a body slowly', async () => {
    const head = encodeHead('POST', '/api/paste', [JSON_TYPE, 'Content-Length: 1000000'])
    const { text, ms } = await drip(head, 'x')
    expect(read(text)).toEqual(refused(408, TOO_SLOW))
    expect(ms).toBeGreaterThan(connectionLimits.requestMs - 100)
  })

  test('chunks slowly', async () => {
    const head = encodeHead('POST', '/api/paste', [JSON_TYPE, 'Transfer-Encoding: chunked'])
    expect(read((await drip(head, '1\r\nx\r\n')).text)).toEqual(refused(408, TOO_SLOW))
  })

  test('a chunk extension slowly', async () => {
    const head = encodeHead('POST', '/api/paste', [JSON_TYPE, 'Transfer-Encoding: chunked'])
    expect(read((await drip(Buffer.concat([head, Buffer.from('5;x=')]), 'x')).text)).toEqual(refused(408, TOO_SLOW))
  })

  test('half a form and then nothing', async () => {
    const form = formBody(filePart('image', 'a.png', 'image/png', noiseBytes(MiB)))
    const { text, ms } = await drip(Buffer.concat([upload(form.length), form.subarray(0, MiB / 2)]))
    expect(ms).toBeGreaterThan(connectionLimits.idleMs - 100)
    // The limit of the whole request would be answered with 408.
    expect(text).toBe('')
  })

  test('the rest of a form slowly', async () => {
    const form = formBody(filePart('image', 'a.png', 'image/png', noiseBytes(MiB)))
    const { text } = await drip(Buffer.concat([upload(form.length), form.subarray(0, 20_000)]), 'x')
    expect(read(text)).toEqual(refused(408, TOO_SLOW))
  })

  test('an announced body that waits for 100 Continue', async () => {
    const head = encodeHead('POST', '/api/paste', [JSON_TYPE, 'Content-Length: 10', 'Expect: 100-continue'])
    expect((await drip(head)).text).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  })

  test('an unexpected body with a request for a cached page', async () => {
    await requestRaw(origin, 'GET', feedPath(NEWS_PATH, 'atom'))
    const { text, ms } = await drip(encodeHead('GET', feedPath(NEWS_PATH, 'atom'), ['Content-Length: 1000000']), 'x')
    expect(text).toContain('HTTP/1.1 200 OK')
    expect(ms).toBeLessThan(connectionLimits.requestMs / 2)
  })

  test('a refused body endlessly, after one response', async () => {
    const { text, ms } = await drip(
      encodeHead('POST', '/api/paste', ['Content-Type: text/xml', 'Content-Length: 9999999']),
      'x',
    )
    expect(ms).toBeGreaterThan(connectionLimits.refusedBodyMs)
    expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1)
    expect(text).toContain('HTTP/1.1 415')
    expect(ms).toBeLessThan(connectionLimits.requestMs)
  })

  test('only the announcement of a refused body', async () => {
    const { text, ms } = await drip(
      encodeHead('POST', '/api/paste', ['Content-Type: text/xml', 'Content-Length: 9', CLOSE]),
    )
    expect(text).toContain('HTTP/1.1 415')
    expect(ms).toBeLessThan(connectionLimits.idleMs)
  })

  test('no next request', async () => {
    const { text, ms } = await drip(encodeHead('GET', '/healthz'))
    expect(text).toContain('HTTP/1.1 200 OK')
    expect(ms).toBeGreaterThan(connectionLimits.keepAliveMs)
  })
})

async function share(): Promise<string> {
  const form = formBody(fieldPart('expiryHours', '1'), filePart('image', 'a.png', 'image/png', image))
  const { body } = await requestRaw(origin, 'POST', '/api/image-share', { lines: [FORM_TYPE], body: form })
  return new URL(JSON.parse(body.toString()).imageUrl).pathname
}

test('closes the connection and files of a client that never reads the response', async () => {
  await expect.poll(openConnections).toBe(0)
  const path = await share()
  // The responses are larger than the kernel buffers of a connection.
  const asked = Buffer.concat(Array.from({ length: 32 * 8 }, () => encodeHead('GET', path)))
  const socket = connect(Number(new URL(origin).port), '127.0.0.1').pause()
  socket.on('error', () => {})
  socket.write(asked)
  await expect.poll(openFiles).toBeGreaterThan(0)
  await expect.poll(openConnections).toBe(0)
  await expect.poll(openFiles).toBe(0)
  socket.destroy()
})

/** Counts the open upload files of this process. Needs /proc. */
async function openFiles() {
  const names = await readdir('/proc/self/fd')
  const paths = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')))
  return paths.filter((path) => path.startsWith(`${site.dataDir}/uploads/`)).length
}

test('accepts an image over a slow connection', async () => {
  const form = formBody(fieldPart('expiryHours', '1'), filePart('image', 'a.png', 'image/png', image))
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.write(encodeHead('POST', '/api/image-share', [FORM_TYPE, CLOSE, `Content-Length: ${form.length}`]))
  // The upload takes 2.4 s: longer than the limit for the head (0.7 s).
  const pieces = 60
  let most = 0
  const size = Math.ceil(form.length / pieces)
  for (let at = 0; at < form.length; at += size) {
    socket.write(form.subarray(at, at + size))
    most = Math.max(most, bytesInFlight())
    await new Promise((resolve) => setTimeout(resolve, 40))
  }
  expect(most).toBeGreaterThan(form.length / 2)
  await expect.poll(() => text).toContain('HTTP/1.1 200 OK')
  socket.destroy()
  // The server no longer counts the bytes of a completed request.
  await expect.poll(bytesInFlight).toBe(0)
})

test('answers some of hundreds of pipelined requests in order and refuses the rest', async () => {
  const many = Array.from({ length: 300 }, (_, index) =>
    encodeHead('GET', index % 2 ? BOARDS : '/healthz', index === 299 ? [CLOSE] : []),
  )
  const { responses } = await sendRaw(origin, [Buffer.concat(many)])
  expect(responses).toHaveLength(300)
  expect(responses.slice(0, 4).map(({ status, body }) => [status, body.toString().slice(0, 10)])).toEqual([
    [200, '{"status":'],
    [200, '{"success"'],
    [200, '{"status":'],
    [200, '{"success"'],
  ])
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 429]))
  expect(responses.at(-1)?.headers['retry-after']).toBe('1')
})

test('delivers a refusal to a client that sends the whole body before reading', async () => {
  const body = Buffer.alloc(3 * MiB, 'x')
  for (const [path, type, status] of [
    ['/api/dtpchan/captcha', JSON_TYPE, 413],
    ['/trpc/board.create', JSON_TYPE, 413],
    ['/trpc/board.create', FORM_TYPE, 415],
    ['/api/nothing', FORM_TYPE, 404],
  ] as const) {
    const answer = await requestRaw(origin, 'POST', path, { lines: [type], body })
    expect([path, answer.status]).toEqual([path, status])
  }
})

describe('malformed and ambiguous requests', () => {
  const json = Buffer.from('{}')
  test.each<[string, Uint8Array[], number]>([
    [
      'a length and chunks',
      [encodeHead('POST', BOARDS, ['Content-Length: 2', 'Transfer-Encoding: chunked']), json],
      400,
    ],
    ['two lengths', [encodeHead('POST', BOARDS, ['Content-Length: 2', 'Content-Length: 3']), json], 400],
    ['the same length twice', [encodeHead('POST', BOARDS, ['Content-Length: 2', 'Content-Length: 2']), json], 400],
    ['a list of lengths', [encodeHead('POST', BOARDS, ['Content-Length: 2, 2']), json], 400],
    ['a length with a sign', [encodeHead('POST', BOARDS, ['Content-Length: +2']), json], 400],
    ['chunks, but not last', [encodeHead('POST', BOARDS, ['Transfer-Encoding: chunked, identity']), json], 400],
    ['chunks in other clothes', [encodeHead('POST', BOARDS, ['Transfer-Encoding: xchunked']), json], 400],
    ['a space before a colon', [encodeHead('POST', BOARDS, ['Transfer-Encoding : chunked']), json], 400],
    ['a folded line', [encodeHead('GET', BOARDS, ['X: a', ' b'])], 400],
    ['line feeds alone', [Buffer.from(`GET ${BOARDS} HTTP/1.1\nHost: x\n\n`)], 400],
    ['a line feed alone at the end', [Buffer.from(`GET ${BOARDS} HTTP/1.1\r\nHost: x\n\r\n`)], 400],
    ['a NUL in a name', [encodeHead('GET', BOARDS, ['X\0: a'])], 400],
    [
      'an invalid chunk size',
      [encodeHead('POST', BOARDS, [JSON_TYPE, 'Transfer-Encoding: chunked']), Buffer.from('x\r\n')],
      400,
    ],
    [
      'a chunk longer than its size',
      [encodeHead('POST', BOARDS, [JSON_TYPE, 'Transfer-Encoding: chunked']), Buffer.from('2\r\n{}x\r\n0\r\n\r\n')],
      400,
    ],
    [
      'an extension of 100 kB',
      [
        encodeHead('POST', BOARDS, [JSON_TYPE, 'Transfer-Encoding: chunked']),
        Buffer.from(`2;${'x'.repeat(100_000)}\r\n{}\r\n0\r\n\r\n`),
      ],
      413,
    ],
    [
      'trailers of 100 kB',
      [
        encodeHead('POST', BOARDS, [JSON_TYPE, 'Transfer-Encoding: chunked']),
        Buffer.from(`2\r\n{}\r\n0\r\n${`X: ${'y'.repeat(1000)}\r\n`.repeat(100)}\r\n`),
      ],
      431,
    ],
    ['a version to come', [Buffer.from(`GET ${BOARDS} HTTP/3.0\r\nHost: x\r\n\r\n`)], 400],
    [
      'a switch to another protocol',
      [encodeHead('GET', '/healthz', ['Upgrade: websocket', 'Connection: Upgrade, close'])],
      200,
    ],
    [
      'a switch to HTTP/2',
      [
        encodeHead('GET', '/healthz', [
          'Upgrade: h2c',
          'HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA',
          'Connection: Upgrade, HTTP2-Settings, close',
        ]),
      ],
      200,
    ],
  ])('%s', async (_name, bytes, status) => {
    const { responses } = await sendRaw(origin, bytes, { halfClose: true })
    expect(responses.map((answer) => [answer.status, findHeaderErrors(answer.headers)])).toEqual([[status, []]])
  })

  test('refuses CONNECT', async () => {
    const { bytes } = await sendRaw(origin, [encodeHead('CONNECT', 'example.org:443')])
    expect(bytes.length).toBe(0)
  })
})
