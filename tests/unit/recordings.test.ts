import { once } from 'node:events'
import { Agent, get, request as httpRequest, type IncomingMessage } from 'node:http'
import { type AddressInfo, createConnection } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { errors } from '#server/core/errors.ts'
import { registerRecordingDownload } from '#server/features/radio/archive/downloadRoute.ts'
import { createContentDisposition, createRecordingFilename } from '#server/features/radio/archive/filename.ts'
import { type Radio, RadioUnavailable, type SourceRecording } from '#server/features/radio/types.ts'
import { sendApiError } from '#server/plugins/api/rest.ts'
import { createDeferred } from '#tests/helpers/deferred.ts'

const PATH = '/api/radio/station/1/streamer/3/broadcast/7/download'
const UNAVAILABLE = { success: false, error: 'The radio is not available right now' }
const SOUND = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251))

const STREAMER = { id: 3, streamer_username: 'dj_test', display_name: 'Test DJ', comments: null }
const BROADCAST = {
  id: 7,
  title: null,
  timestampStart: '2026-02-22T23:30:00.000Z',
  timestampEnd: '2026-02-23T01:00:00.000Z',
  recording: { size: SOUND.length },
}

type Open = Radio['openRecording']
type Signal = Parameters<Open>[2]

// like browsers, which would wait for the rest
let agent = new Agent({ keepAlive: true })
let app: FastifyInstance
afterEach(async () => {
  agent.destroy()
  agent = new Agent({ keepAlive: true })
  await app.close()
})

async function* pieces(bytes: Buffer, size = 7_000) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const whole = (body: AsyncIterable<Buffer> = pieces(SOUND)): SourceRecording => ({
  status: 200,
  type: 'audio/mpeg',
  length: SOUND.length,
  range: null,
  body,
})

/** A source with range support, like AzuraCast and the embedded station. */
const ranged: Open = async (_ids, range) => {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? []
  if (range === undefined) return whole()
  const start = first ? Number(first) : SOUND.length - Number(last)
  const end = first && last ? Math.min(Number(last), SOUND.length - 1) : SOUND.length - 1
  const none = pieces(Buffer.alloc(0))
  if (start >= SOUND.length) {
    return { status: 416, type: 'text/html', length: null, range: `bytes */${SOUND.length}`, body: none }
  }
  const body = pieces(SOUND.subarray(start, end + 1))
  const told = `bytes ${start}-${end}/${SOUND.length}`
  return { status: 206, type: 'audio/mpeg', length: end - start + 1, range: told, body }
}

/** Starts a server with this route only. */
async function serve(openRecording: Open, radio: Partial<Radio> = {}, bounds: Record<string, number> = {}) {
  app = Fastify({ routerOptions: { maxParamLength: 1000 } })
  app.setErrorHandler((error, request, reply) => sendApiError(error, request, reply))
  const source = {
    streamers: async () => ({ streamers: [STREAMER], available: true }),
    broadcasts: async () => ({ broadcasts: [BROADCAST], available: true }),
    openRecording,
    ...radio,
  } as Radio
  const usual = { stallMs: 20_000, idleMs: 120_000, maxDownloads: 200, maxPerNetwork: 24 }
  registerRecordingDownload(app, { radio: source }, { ...usual, ...bounds })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app
}

const port = () => (app.server.address() as AddressInfo).port
const ask = (headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET', url = PATH) =>
  app.inject({ method, url, headers })

/** Reads a raw response and whether it ended cleanly. */
async function read(headers: Record<string, string> = {}) {
  const message = await open(headers)
  const received: Buffer[] = []
  message.on('data', (piece: Buffer) => received.push(piece))
  const isWhole = await new Promise<boolean>((resolve) => {
    message.on('end', () => resolve(message.complete))
    message.on('error', () => resolve(false))
  })
  return { message, bytes: Buffer.concat(received), isWhole }
}

const open = (headers: Record<string, string> = {}) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    get({ port: port(), host: '127.0.0.1', path: PATH, headers, agent }, resolve).on('error', reject)
  })

/** A source that sends data and then waits until it is aborted. */
function stalledSource(first: Buffer, signals: Signal[] = []) {
  const opened: Open = async (_ids, _range, signal) => {
    signals.push(signal)
    return whole(
      (async function* () {
        yield first
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
      })(),
    )
  }
  return { opened, signals }
}

describe('a recording', () => {
  test('is named after streamer and date, and never rendered as a page', async () => {
    await serve(ranged)
    const answer = await ask()
    expect(answer.statusCode).toBe(200)
    expect(answer.rawPayload.equals(SOUND)).toBe(true)
    expect(answer.headers).toMatchObject({
      'content-type': 'audio/mpeg',
      'content-disposition': 'attachment; filename="dj_test_22-02-2026.mp3"',
      'content-length': '100000',
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      etag: '"1-3-7-100000"',
    })
    expect(answer.headers['content-range']).toBeUndefined()
  })

  test.each([
    ['audio/mpeg', 'audio/mpeg'],
    ['Audio/OGG; codecs=opus', 'audio/ogg'],
    ['text/html', 'application/octet-stream'],
    ['image/svg+xml', 'application/octet-stream'],
    ['audio/mpeg\r\nset-cookie: a=b', 'application/octet-stream'],
    ['', 'application/octet-stream'],
  ])('of type %j is sent as %s', async (type, sent) => {
    await serve(async () => ({ ...whole(), type }))
    const answer = await ask()
    expect(answer.headers['content-type']).toBe(sent)
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  test.each<[range: string, start: number, end: number]>([
    ['bytes=0-', 0, 99_999],
    ['bytes=0-99', 0, 99],
    ['bytes=50000-', 50_000, 99_999],
    ['bytes=99999-99999', 99_999, 99_999],
    ['bytes=5-999999', 5, 99_999],
    ['bytes=-100', 99_900, 99_999],
  ])('is sent in ranges: %s', async (range, start, end) => {
    await serve(ranged)
    const answer = await ask({ range })
    expect(answer.statusCode).toBe(206)
    expect(answer.headers).toMatchObject({
      'content-range': `bytes ${start}-${end}/100000`,
      'content-length': String(end - start + 1),
      'accept-ranges': 'bytes',
      etag: '"1-3-7-100000"',
    })
    expect(answer.rawPayload.equals(SOUND.subarray(start, end + 1))).toBe(true)
  })

  test.each(['bytes=0-1,5-6', 'bytes=9-5', 'bytes=-', 'bytes=a-b', 'lines=0-1', `bytes=${'9'.repeat(400)}-`])(
    'is sent whole for the unsupported range %s',
    async (range) => {
      const asked: unknown[] = []
      await serve((ids, passed, signal) => {
        asked.push(passed)
        return ranged(ids, passed, signal)
      })
      const answer = await ask({ range })
      expect([answer.statusCode, answer.rawPayload.length]).toEqual([200, SOUND.length])
      expect(asked).toEqual([undefined])
    },
  )

  test('answers 416 for a range beyond its end', async () => {
    await serve(ranged)
    const answer = await ask({ range: 'bytes=100000-' })
    expect([answer.statusCode, answer.headers['content-range']]).toEqual([416, 'bytes */100000'])
    expect(answer.json()).toEqual({ success: false, error: 'The requested range is not in the recording' })
    expect(answer.headers['content-disposition']).toBeUndefined()
  })

  test('answers 416 when the source does not report the size', async () => {
    await serve(async () => ({ ...whole(), status: 416, range: 'x\r\ny' }))
    expect((await ask({ range: 'bytes=100000-' })).headers['content-range']).toBe('bytes */100000')
  })

  test('is resumed only if unchanged', async () => {
    await serve(ranged)
    const range = 'bytes=10-19'
    expect((await ask({ range, 'if-range': '"1-3-7-100000"' })).statusCode).toBe(206)
    for (const tag of ['"1-3-7-99999"', 'W/"1-3-7-100000"', 'Sun, 22 Feb 2026 20:00:00 GMT', '']) {
      expect([tag, (await ask({ range, 'if-range': tag })).statusCode]).toEqual([tag, 200])
    }
  })

  test('has no ETag when its size differs from the list', async () => {
    const shorter = SOUND.subarray(0, 500)
    await serve(async () => ({ ...whole(pieces(shorter)), length: 500 }))
    const answer = await ask()
    expect([answer.statusCode, answer.rawPayload.length, answer.headers.etag]).toEqual([200, 500, undefined])
  })

  test('is sent whole from a source without ranges, with Accept-Ranges: none', async () => {
    await serve(async () => whole())
    const answer = await ask({ range: 'bytes=50-' })
    expect([answer.statusCode, answer.rawPayload.length]).toEqual([200, SOUND.length])
    expect(answer.headers['accept-ranges']).toBe('none')
  })

  test('may have an unknown length', async () => {
    await serve(async () => ({ ...whole(), length: null }))
    const { bytes, isWhole, message } = await read()
    expect([bytes.equals(SOUND), isWhole]).toEqual([true, true])
    expect(message.headers['content-length']).toBeUndefined()
  })

  test('may be empty', async () => {
    await serve(async () => ({ ...whole(pieces(Buffer.alloc(0))), length: 0 }))
    const answer = await ask()
    expect([answer.statusCode, answer.headers['content-length'], answer.rawPayload.length]).toEqual([200, '0', 0])
  })

  test('answers HEAD with the headers of GET and without reading the file', async () => {
    let wasRead = false
    const signals: Signal[] = []
    await serve(async (_ids, range, signal) => {
      expect(range).toBeUndefined()
      signals.push(signal)
      const body = (async function* () {
        wasRead = true
        yield SOUND
      })()
      return whole(body)
    })
    const answer = await ask({ range: 'bytes=0-9' }, 'HEAD')
    expect([answer.statusCode, answer.body]).toEqual([200, ''])
    const { 'content-length': length, 'content-disposition': name, etag } = answer.headers
    expect([length, name, etag]).toEqual(['100000', 'attachment; filename="dj_test_22-02-2026.mp3"', '"1-3-7-100000"'])
    expect([wasRead, signals[0]?.aborted]).toEqual([false, true])
  })
})

describe('not found', () => {
  const gone = { success: false, error: 'Broadcast not found' }

  test.each([
    ['another broadcast', PATH.replace('/7/', '/8/')],
    ['another streamer', PATH.replace('/3/', '/4/')],
    ['no number', PATH.replace('/7/', '/x/')],
    ['a negative number', PATH.replace('/7/', '/-7/')],
    ['a fraction', PATH.replace('/7/', '/7.0/')],
    ['a huge number', PATH.replace('/7/', `/${'7'.repeat(300)}/`)],
    ['a path', PATH.replace('/7/', '/..%2f7/')],
  ])('%s', async (_name, url) => {
    await serve(() => expect.unreachable())
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await ask({}, method, url)
      expect([answer.statusCode, answer.headers['cache-control']]).toEqual([404, 'no-store'])
      if (method === 'GET') expect(answer.json()).toEqual(gone)
    }
  })

  test.each<[string, object]>([
    ['a running broadcast', { timestampEnd: null }],
    ['a broadcast without a recording', { recording: null }],
  ])('%s', async (_name, change) => {
    const broadcasts = async () => ({ broadcasts: [{ ...BROADCAST, ...change }], available: true })
    await serve(() => expect.unreachable(), { broadcasts })
    const answer = await ask()
    expect([answer.statusCode, answer.json()]).toEqual([404, gone])
  })

  test('for a station, streamer or file that the service does not know', async () => {
    const unknown = async () => {
      throw errors.notFound('Station not found')
    }
    await serve(() => expect.unreachable(), { streamers: unknown, broadcasts: unknown })
    expect((await ask()).json()).toEqual(gone)
    await app.close()
    await serve(unknown)
    const answer = await ask()
    expect([answer.statusCode, answer.json()]).toEqual([404, gone])
  })
})

describe('a source that fails before the first byte', () => {
  const silent = async function* (): AsyncGenerator<Buffer> {
    await new Promise(() => {})
  }
  const dead = async function* (): AsyncGenerator<Buffer> {
    yield* []
    throw new Error('connect ECONNREFUSED http://10.0.0.1:8080/?key=secret')
  }
  const strange = (change: Partial<SourceRecording>): Open => {
    return async () => ({ ...whole(), ...change })
  }
  test.each<[string, Open, Partial<Radio>, Record<string, string>]>([
    ['no list of streamers', ranged, { streamers: async () => ({ streamers: [], available: false }) }, {}],
    ['no list of broadcasts', ranged, { broadcasts: async () => ({ broadcasts: [], available: false }) }, {}],
    ['opening fails', async () => Promise.reject(new RadioUnavailable('at http://10.0.0.1/secret')), {}, {}],
    ['silence', strange({ body: silent() }), {}, {}],
    ['connection lost', strange({ body: dead() }), {}, {}],
    ['empty body', strange({ body: pieces(Buffer.alloc(0)) }), {}, {}],
    ['unrequested range', strange({ status: 206, range: 'bytes 0-99999/100000' }), {}, {}],
    ['another range', strange({ status: 206, range: 'bytes 0-99999/100000' }), {}, { range: 'bytes=9-' }],
    ['206 without Content-Range', strange({ status: 206 }), {}, { range: 'bytes=0-' }],
    ['invalid Content-Range', strange({ status: 206, range: 'bytes 9-0/5\r\nx: y' }), {}, { range: 'bytes=0-' }],
    [
      'Content-Range that contradicts the length',
      strange({ status: 206, range: 'bytes 0-9/100000' }),
      {},
      { range: 'bytes=0-' },
    ],
  ])('%s: answers 503', async (_name, open, radio, headers) => {
    await serve(open, radio, { stallMs: 30 })
    const answer = await ask(headers)
    expect([answer.statusCode, answer.json()]).toEqual([503, UNAVAILABLE])
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    expect(answer.headers['content-type']).toContain('application/json')
    expect(answer.headers['content-disposition']).toBeUndefined()
    expect(JSON.stringify(answer.headers) + answer.body).not.toMatch(/secret|10\.0\.0\.1/)
  })
})

describe('a source that fails during the transfer', () => {
  const START = SOUND.subarray(0, 30_000)

  test('cuts the connection when the source is silent', async () => {
    const { opened, signals } = stalledSource(START)
    await serve(opened, {}, { stallMs: 50 })
    const { bytes, isWhole } = await read()
    expect([bytes.equals(START), isWhole]).toEqual([true, false])
    expect(signals[0]?.aborted).toBe(true)
  })

  test('cuts the connection when a source of unknown length is silent', async () => {
    const { opened } = stalledSource(START)
    await serve(async (...args) => ({ ...(await opened(...args)), length: null }), {}, { stallMs: 50 })
    const { bytes, isWhole } = await read()
    expect([bytes.equals(START), isWhole]).toEqual([true, false])
  })

  test('cuts the connection when the source dies', async () => {
    const body = async function* () {
      yield START
      throw new Error('socket hang up')
    }
    await serve(async () => whole(body()))
    const { bytes, isWhole } = await read()
    expect([bytes.equals(START), isWhole]).toEqual([true, false])
  })

  test('cuts the connection when the source ends early', async () => {
    await serve(async () => whole(pieces(START)))
    const { bytes, isWhole } = await read()
    expect([bytes.equals(START.subarray(0, bytes.length)), isWhole]).toEqual([true, false])
  })

  test('drops bytes beyond the announced length', async () => {
    const more = Buffer.concat([SOUND, Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil')])
    await serve(async () => whole(pieces(more)))
    const socket = createConnection(port(), '127.0.0.1')
    const received: Buffer[] = []
    socket.on('data', (piece) => received.push(piece))
    const once200 = `GET ${PATH} HTTP/1.1\r\nHost: a\r\n\r\n`
    socket.write(once200)
    socket.write(`${once200.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')}`)
    await once(socket, 'close')
    const text = Buffer.concat(received).toString('latin1')
    expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2)
    expect(text).not.toContain('evil')
  })
})

describe('a client', () => {
  test('that leaves ends the source at once, before and during the transfer', async () => {
    const { opened, signals } = stalledSource(SOUND.subarray(0, 10))
    await serve(opened)
    const message = await open()
    message.destroy()
    await vi.waitFor(() => expect(signals[0]?.aborted).toBe(true))
    await app.close()

    const opening: Signal[] = []
    await serve((_ids, _range, signal) => {
      opening.push(signal)
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
    })
    const request = httpRequest({ port: port(), host: '127.0.0.1', path: PATH, agent: false }).on('error', () => {})
    request.end()
    await vi.waitFor(() => expect(opening).toHaveLength(1))
    request.destroy()
    await vi.waitFor(() => expect(opening[0]?.aborted).toBe(true))
  })

  test('that leaves during the lookup takes no slot and opens nothing', async () => {
    const found = { broadcasts: [BROADCAST], available: true }
    const lookUp = vi.fn(async () => found)
    const first = createDeferred<typeof found>()
    lookUp.mockReturnValueOnce(first.promise)
    const opens = vi.fn(ranged)
    await serve(opens, { broadcasts: lookUp }, { maxDownloads: 1 })
    const left = new Promise((resolve) => {
      app.server.once('request', (_request, response) => response.once('close', resolve))
    })
    const request = httpRequest({ port: port(), host: '127.0.0.1', path: PATH, agent: false }).on('error', () => {})
    request.end()
    await vi.waitFor(() => expect(lookUp).toHaveBeenCalledTimes(1))
    request.destroy()
    await left
    first.resolve(found)
    await first.promise
    expect((await ask()).statusCode).toBe(200)
    expect(opens).toHaveBeenCalledTimes(1)
  })

  test('that reads slowly slows down the source and receives everything', async () => {
    const pieceBytes = 256 * 1024
    let sent = 0
    const body = async function* () {
      for (; sent < 400; sent++) yield Buffer.alloc(pieceBytes, sent)
    }
    await serve(async () => ({ ...whole(body()), length: 400 * pieceBytes }))
    const message = await open()
    message.pause()
    let before = -1
    await vi.waitFor(
      () => {
        const still = sent === before
        before = sent
        expect(still).toBe(true)
      },
      { interval: 200, timeout: 5000 },
    )
    // fits into the kernel's buffers, far less than the whole file
    expect(sent * pieceBytes).toBeLessThan(24 * 1024 * 1024)
    let length = 0
    for await (const piece of message) length += piece.length
    expect([length, message.complete]).toEqual([400 * pieceBytes, true])
  })

  test('that stops reading is disconnected', async () => {
    const signals: Signal[] = []
    const body = async function* () {
      for (let sent = 0; sent < 100; sent++) yield Buffer.alloc(1024 * 1024)
    }
    const opened: Open = async (_ids, _range, signal) => {
      signals.push(signal)
      return { ...whole(body()), length: 1e12 }
    }
    await serve(opened, {}, { idleMs: 100 })
    const message = await open()
    message.pause()
    message.on('error', () => {})
    await vi.waitFor(() => expect(signals[0]?.aborted).toBe(true), { timeout: 5000 })
  })

  test('is served like nine others at the same time', async () => {
    await serve(ranged)
    const answers = await Promise.all(Array.from({ length: 10 }, () => read()))
    expect(answers.map(({ bytes, isWhole }) => bytes.equals(SOUND) && isWhole)).toEqual(Array(10).fill(true))
  })
})

describe('limits', () => {
  const BUSY = {
    success: false,
    error: 'Too many recordings are being downloaded. Please try again in a moment.',
  }

  test('bound concurrent downloads and free their slots', async () => {
    const { opened } = stalledSource(SOUND.subarray(0, 10))
    await serve(opened, {}, { maxDownloads: 2 })
    const first = await open()
    await open()
    const refused = await ask()
    expect([refused.statusCode, refused.json(), refused.headers['retry-after']]).toEqual([503, BUSY, '30'])
    first.destroy()
    await vi.waitFor(async () => {
      const message = await open()
      message.destroy()
      expect(message.statusCode).toBe(200)
    })
  })

  test('bound downloads of one IP address', async () => {
    const { opened } = stalledSource(SOUND.subarray(0, 10))
    await serve(opened, {}, { maxPerNetwork: 2 })
    await open()
    await open()
    const refused = await ask()
    expect([refused.statusCode, refused.json()]).toEqual([429, BUSY])
  })

  test('are not used up by refused and finished requests', async () => {
    await serve(ranged, {}, { maxDownloads: 1 })
    for (let round = 0; round < 5; round++) {
      expect((await ask()).statusCode).toBe(200)
      expect((await ask({ range: 'bytes=999999-' })).statusCode).toBe(416)
      expect((await ask({}, 'HEAD')).statusCode).toBe(200)
      expect((await read()).isWhole).toBe(true)
    }
  })

  test('do not delay closing the site', async () => {
    const { opened, signals } = stalledSource(SOUND.subarray(0, 10))
    await serve(opened)
    const message = await open()
    message.on('error', () => {})
    message.resume()
    await app.close()
    expect(signals[0]?.aborted).toBe(true)
  })
})

describe('file names', () => {
  const day = new Date('2026-02-22T20:00:00Z')
  test.each([
    ['dj_test', 'dj_test'],
    ['DJ Test', 'DJ_Test'],
    ['a/../../etc/passwd', 'a_.._.._etc_passwd'],
    ['..\\..\\x', 'x'],
    ['x"; filename="evil.exe', 'x_filename=_evil.exe'],
    ['a\r\nset-cookie: b=c', 'a_set-cookie_b=c'],
    ['\0\u202egpj.exe', 'gpj.exe'],
    ['.htaccess', 'htaccess'],
    ['', 'broadcast'],
    ['\ud800', '\ufffd'],
    ['x'.repeat(500), 'x'.repeat(48)],
    ['Zoë', 'Zoë'],
  ])('%j', (streamer, name) => {
    expect(createRecordingFilename(streamer, day)).toBe(`${name}_22-02-2026.mp3`)
    expect(createContentDisposition(createRecordingFilename(streamer, day))).toMatch(
      /^attachment; filename="[\w.+()@-]+\.mp3"(; filename\*=UTF-8''[\w.!~%-]+)?$/,
    )
  })

  test('have an ASCII form and the full form', () => {
    expect(createContentDisposition(createRecordingFilename('Zoë', day))).toBe(
      `attachment; filename="Zoe_22-02-2026.mp3"; filename*=UTF-8''Zo%C3%AB_22-02-2026.mp3`,
    )
    expect(createContentDisposition(createRecordingFilename('диджей', day))).toContain(
      'filename="__22-02-2026.mp3"; filename*=',
    )
    // characters that NFKD turns into a quote and a slash
    expect(createContentDisposition('a\uff02b\uff0fc.mp3')).toContain('filename="a_b_c.mp3"')
    expect(createContentDisposition(createRecordingFilename("o'neil(1)", day))).toContain(
      "UTF-8''o%27neil%281%29_22-02-2026.mp3",
    )
  })
})
