import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AppError } from '#server/core/errors.ts'
import { createAzuraCast } from '#server/features/radio/azuracast/azuracast.ts'
import { type RadioSource, RadioUnavailable, type SoundPiece } from '#server/features/radio/types.ts'
import { framesOf } from '#tests/helpers/mp3.ts'
import { type Behaviour, RADIO_KEY, type RadioService, startRadioService } from '#tests/helpers/radioService.ts'

const BOUNDS = { answerMs: 1000, listMs: 2000, connectMs: 1000, silenceMs: 1000 }
const RECORDING = { stationId: 1, streamerId: 3, broadcastId: 7 }

let service: RadioService
let source: RadioSource
let time: number
const never = new AbortController().signal
const make = (url = service.url, key: string | null = RADIO_KEY) =>
  createAzuraCast({ url, key, timeouts: BOUNDS, now: () => new Date(time) })

beforeEach(async () => {
  time = Date.UTC(2026, 10, 1)
  service = await startRadioService({ art: Buffer.from('a picture') })
  source = make()
})
afterEach(async () => {
  await source.close()
  await service.close()
})

const outcome = (asked: Promise<unknown>) =>
  asked.then(
    () => 'an answer',
    (error) =>
      error instanceof RadioUnavailable
        ? `away: ${error.reason}`
        : error instanceof AppError
          ? `${error.code}: ${error.message}`
          : error,
  )

async function collect(body: AsyncIterable<Buffer>, most = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of body) {
    chunks.push(chunk)
    most -= chunk.length
    if (most <= 0) break
  }
  return Buffer.concat(chunks)
}

describe('API calls', () => {
  test('requests the documented URLs with the API key', async () => {
    await source.stations()
    await source.nowPlaying(1)
    await source.streamers(1)
    await source.broadcasts(1, 3)
    await collect((await source.openRecording(RECORDING, null, never)).body)
    expect(service.requests.map(({ path }) => path)).toEqual([
      '/api/stations',
      '/api/nowplaying/1',
      '/api/station/1/streamers',
      '/api/station/1/streamer/3/broadcasts',
      '/api/station/1/streamer/3/broadcast/7/download',
    ])
    for (const { headers } of service.requests) expect(headers.authorization).toBe(`Bearer ${RADIO_KEY}`)
  })

  test('trims the API key', async () => {
    const open = make(service.url, `${RADIO_KEY}\n`)
    expect(await open.streamers(1)).toHaveLength(1)
    await open.close()
  })

  test('sends no Authorization header without a key', async () => {
    const open = make(service.url, null)
    await open.nowPlaying(1)
    expect(service.requests[0]?.headers.authorization).toBeUndefined()
    expect(await outcome(open.streamers(1))).toBe('away: HTTP status 403')
    await open.close()
  })

  const unusable: [string, Behaviour, string][] = [
    ['403', 'forbidden', 'HTTP status 403'],
    ['500', 'broken', 'HTTP status 500'],
    ['an HTML page with 200', 'html', 'invalid JSON'],
    ['an HTML page with 404', { bytes: '\n<html>gone</html>', type: 'text/html', status: 404 }, 'HTTP status 404'],
    ['502', { bytes: '<html>bad gateway</html>', status: 502 }, 'HTTP status 502'],
    ['204', { bytes: '', status: 204 }, 'HTTP status 204'],
    ['an empty body', { bytes: '' }, 'invalid JSON'],
    ['truncated JSON', { bytes: '{"now_playing":' }, 'invalid JSON'],
    ['an unknown format', { json: { hello: 'world' } }, 'unknown format of now-playing'],
    ['silence', 'silence', 'no answer in time'],
    ['headers without a body', 'head only', 'no answer in time'],
    ['an endless slow body', 'drip', 'no answer in time'],
    ['3 MB', { json: { now_playing: null, filler: 'x'.repeat(3_000_000) } }, 'too large'],
    [
      'a bomb',
      {
        bytes: gzipSync(Buffer.alloc(30_000_000, '[')),
        type: 'application/json',
        headers: { 'content-encoding': 'gzip' },
      },
      'too large',
    ],
    ['a redirect to another server', { redirect: 'http://127.0.0.1:9/api/nowplaying/1' }, 'redirected elsewhere'],
    ['a redirect to itself', { redirect: '/api/nowplaying/1' }, 'redirected too often, or nowhere'],
    ['a redirect to an invalid URL', { redirect: 'http://[' }, 'redirected too often, or nowhere'],
  ]
  test.each(unusable)('rejects %s quickly', async (_name, behaviour, reason) => {
    service.set('nowplaying', behaviour)
    const started = performance.now()
    expect(await outcome(source.nowPlaying(1))).toBe(`away: ${reason}`)
    expect(performance.now() - started).toBeLessThan(20_000)
    service.set('nowplaying', null)
    expect(await outcome(source.nowPlaying(1))).toBe('an answer')
  })

  test('rejects an answer that breaks off', async () => {
    service.set('nowplaying', 'death')
    expect(await outcome(source.nowPlaying(1))).toBe('away: ECONNRESET')
  })

  test('rejects when the service is unreachable', async () => {
    const gone = make('http://127.0.0.1:1')
    expect(await outcome(gone.stations())).toBe('away: ECONNREFUSED')
    await gone.close()
  })

  test('rejects when the server does not speak HTTP', async () => {
    const server = createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const strange = make(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    expect(await outcome(strange.stations())).toBe('away: HPE_INVALID_CONSTANT')
    await strange.close()
    server.close()
  })

  test('reports unknown resources as not found, but a missing station list as a failure', async () => {
    expect(await outcome(source.nowPlaying(99))).toBe('NOT_FOUND: Station not found')
    expect(await outcome(source.streamers(99))).toBe('NOT_FOUND: Station not found')
    expect(await outcome(source.broadcasts(1, 99))).toBe('NOT_FOUND: Broadcast not found')
    expect(await outcome(source.openRecording({ ...RECORDING, streamerId: 4 }, null, never))).toBe(
      'NOT_FOUND: Broadcast not found',
    )
    service.set('stations', { json: { code: 404 }, status: 404 })
    expect(await outcome(source.stations())).toBe('away: HTTP status 404')
  })

  test.each([
    ['7', 7],
    ['100000', 60],
    [null, 5],
    ['soon', 5],
    ['0', 1],
    ['Sun, 01 Nov 2026 00:00:20 GMT', 20],
    ['Sun, 01 Nov 2020 00:00:20 GMT', 1],
  ])('pauses after a 429 (Retry-After %s) for %d s', async (retryAfter, seconds) => {
    service.set('nowplaying', { tooMany: retryAfter })
    expect(await outcome(source.nowPlaying(1))).toBe('away: HTTP status 429')
    service.set('nowplaying', null)
    time += seconds * 1000 - 1
    expect(await outcome(source.nowPlaying(1))).toBe('away: waiting after a 429')
    expect(await outcome(source.stations())).toBe('away: waiting after a 429')
    expect(await outcome(source.openRecording(RECORDING, null, never))).toBe('away: waiting after a 429')
    expect(service.count()).toBe(1)
    time += 1
    expect(await outcome(source.nowPlaying(1))).toBe('an answer')
  })

  test('follows redirects within the service, with the key', async () => {
    service.set('nowplaying', { redirect: '/api/stations?moved' })
    expect(await outcome(source.nowPlaying(1))).toBe('away: unknown format of now-playing')
    expect(service.requests[1]).toMatchObject({
      path: '/api/stations?moved',
      headers: { authorization: `Bearer ${RADIO_KEY}` },
    })
  })

  test('reads all pages of a list', async () => {
    const page = (number: number) => ({
      ...{ page: number, total_pages: 3, per_page: 2 },
      rows: [number * 10, number * 10 + 1].map((id) => ({ id, timestampStart: 1_700_000_000 })),
    })
    const server = createServer((request, response) => {
      const number = Number(new URL(request.url ?? '', 'http://x').searchParams.get('page') ?? 1)
      response.end(JSON.stringify(page(number)))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const paged = make(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    expect((await paged.broadcasts(1, 3)).map(({ id }) => id)).toEqual([10, 11, 20, 21, 30, 31])
    await paged.close()
    server.close()
  })

  test('returns the pages so far when a list never ends or fails', async () => {
    const rows = [{ id: 1, timestampStart: 1_700_000_000 }]
    service.set('broadcasts', { json: { page: 1, total_pages: 9, per_page: { toString: 5 }, rows } })
    expect(await source.broadcasts(1, 3)).toHaveLength(1)
    expect(service.count('broadcasts')).toBeLessThanOrEqual(3)
  })
})

describe('stream', () => {
  /** Reads a second of sound. */
  async function hear(sound: AsyncIterable<SoundPiece>, frameCount = 40) {
    const frames: SoundPiece['frames'] = []
    for await (const piece of sound) {
      frames.push(...piece.frames)
      if (frames.length >= frameCount) break
    }
    return frames
  }

  test('is opened at the listen URL, with metadata and without the key', async () => {
    service.title = 'Artist - Title'
    const abort = new AbortController()
    const frames = await hear(await source.openStream(1, abort.signal))
    expect(frames[0]?.bytes.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xfb]))
    expect(frames.flatMap(({ title }) => title ?? [])).toEqual(['Artist - Title'])
    const request = service.requests.find(({ call }) => call === 'stream')
    expect(request?.headers).toMatchObject({ 'icy-metadata': '1' })
    expect(request?.headers.authorization).toBeUndefined()
    abort.abort()
  })

  test('ends when the signal aborts', async () => {
    const abort = new AbortController()
    const sound = await source.openStream(1, abort.signal)
    await expect.poll(service.listeners).toBe(1)
    abort.abort()
    expect(await hear(sound)).toEqual([])
    await expect.poll(service.listeners).toBe(0)
  })

  test('fails when the server dies', async () => {
    const heard = hear(await source.openStream(1, never), Number.POSITIVE_INFINITY)
    await expect.poll(service.listeners).toBe(1)
    service.killStreams()
    await expect(heard).rejects.toThrow()
  })

  test('uses the now-playing answer when the station list fails', async () => {
    service.set('stations', 'forbidden')
    const abort = new AbortController()
    expect(await hear(await source.openStream(1, abort.signal))).not.toEqual([])
    abort.abort()
  })

  test('stays available while API calls fail', async () => {
    await source.stations()
    for (const call of ['stations', 'nowplaying'] as const) service.set(call, 'broken')
    const abort = new AbortController()
    expect(await hear(await source.openStream(1, abort.signal))).not.toEqual([])
    abort.abort()
  })

  test('looks up the URL again after a failure', async () => {
    await source.stations()
    service.set('stream', { json: {}, status: 404 })
    expect(await outcome(source.openStream(1, never))).toBe('away: HTTP status 404')
    service.set('stream', null)
    service.set('stations', { json: [{ id: 1, listen_url: '/listen/moved.mp3' }] })
    const abort = new AbortController()
    await source.openStream(1, abort.signal)
    expect(service.requests.at(-1)?.path).toBe('/listen/moved.mp3')
    abort.abort()
  })

  const silent: [string, Behaviour, string][] = [
    ['silence', 'silence', 'away: no answer in time'],
    ['an HTML page', 'html', 'away: stream is not audio'],
    ['a failure', 'broken', 'away: HTTP status 500'],
    ['a redirect to a private address', { redirect: 'http://127.0.0.1:22/' }, 'away: not a public address'],
  ]
  test.each(silent)('rejects %s', async (_name, behaviour, reason) => {
    service.set('stream', behaviour)
    expect(await outcome(source.openStream(1, never))).toBe(reason)
  })

  test.each([
    ['a link-local address', 'http://169.254.169.254/latest/meta-data'],
    ['another private address', 'http://127.0.0.2:5432/'],
    ['the IPv6 loopback address', 'http://[::1]:5432/'],
    ['a decimal IPv4 address', 'http://2130706434/'],
    ['a hostname of the loopback address', 'http://localhost:5432/'],
  ])('does not connect to %s unless private addresses are allowed', async (_name, listen_url) => {
    service.set('stations', { json: [{ id: 1, name: 'Radio', listen_url }] })
    expect(await outcome(source.openStream(1, never))).toBe('away: not a public address')
    const allowing = createAzuraCast({
      url: service.url,
      key: null,
      allowPrivateStreams: true,
      timeouts: BOUNDS,
      now: () => new Date(time),
    })
    expect(await outcome(allowing.openStream(1, never))).not.toBe('away: not a public address')
    await allowing.close()
  })

  test("may use another port of the service's host", async () => {
    const other = await startRadioService()
    service.set('stations', { json: [{ id: 1, name: 'Radio', listen_url: `${other.url}/listen/1` }] })
    const abort = new AbortController()
    expect(await hear(await source.openStream(1, abort.signal))).not.toEqual([])
    abort.abort()
    await other.close()
  })

  test('may come from a SHOUTcast 1 server', async () => {
    const frames = framesOf({ seconds: 0.4 })
    const server = createTcpServer((socket) =>
      socket.end(
        Buffer.concat([Buffer.from('ICY 200 OK\r\ncontent-type:audio/mpeg\r\nicy-metaint:8192\r\n\r\n'), ...frames]),
      ),
    ).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const listen_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    service.set('stations', { json: [{ id: 1, name: 'Radio', listen_url }] })
    const heard = await hear(await source.openStream(1, never))
    expect(heard.map(({ bytes }) => bytes)).toEqual(frames)
    server.close()
  })

  test.each(['file:///etc/passwd', 'http://user:pw@127.0.0.1/x', 'javascript:alert(1)', '', null, 5])(
    'rejects the listen URL %j',
    async (listen_url) => {
      service.set('stations', { json: [{ id: 1, listen_url }] })
      service.set('nowplaying', { json: { station: { listen_url }, now_playing: null } })
      expect(await outcome(source.openStream(1, never))).toBe('away: station has no stream URL')
    },
  )
})

describe('recordings', () => {
  const PART = { start: 10, end: 19 }

  test('requests and returns a range', async () => {
    const { body, ...head } = await source.openRecording(RECORDING, PART, never)
    expect(head).toEqual({ type: 'audio/mpeg', size: service.recording.length, isPart: true })
    expect(await collect(body)).toEqual(service.recording.subarray(10, 20))
  })

  test('returns the whole file from a service without ranges', async () => {
    service.ranges = false
    const { body, ...head } = await source.openRecording(RECORDING, PART, never)
    expect(head).toEqual({ type: 'audio/mpeg', size: service.recording.length, isPart: false })
    expect(await collect(body)).toEqual(service.recording)
  })

  test.each([
    ['no Content-Range', {}],
    ['another range', { 'content-range': 'bytes 0-9/1000' }],
    ['a shorter range', { 'content-range': 'bytes 10-18/1000' }],
    ['an invalid range', { 'content-range': 'bytes 10-19' }],
  ])('rejects a part with %s', async (_name, headers) => {
    service.set('download', { bytes: 'x', status: 206, headers })
    expect(await outcome(source.openRecording(RECORDING, PART, never))).toBe('away: recording in another range')
  })

  test('tells the size of a file that ends before the range', async () => {
    const beyond = { start: 99_999_998, end: 99_999_999 }
    const answer = await source.openRecording(RECORDING, beyond, never)
    expect(answer).toMatchObject({ isPart: true, size: service.recording.length })
  })

  const broken: [string, Behaviour, string][] = [
    ['an HTML page', 'html', 'away: recording is not audio'],
    ['a JSON message', { json: { success: false } }, 'away: recording is not audio'],
    ['compressed audio', { bytes: 'x', headers: { 'content-encoding': 'gzip' } }, 'away: recording is not audio'],
    ['a part that was not requested', { bytes: 'x', status: 206 }, 'away: HTTP status 206'],
    ['silence', 'silence', 'away: no answer in time'],
    ['a redirect to a private address', { redirect: 'http://127.0.0.1:22/' }, 'away: not a public address'],
  ]
  test.each(broken)('rejects %s', async (_name, behaviour, reason) => {
    service.set('download', behaviour)
    expect(await outcome(source.openRecording(RECORDING, null, never))).toBe(reason)
  })

  test('fails when the source falls silent', async () => {
    service.set('download', { bytes: 'sound', headers: { 'content-length': '5000' } })
    const { body } = await source.openRecording(RECORDING, null, never)
    await expect(collect(body)).rejects.toThrow()
  })

  test('fails when the connection breaks in a file of unknown length', async () => {
    const server = createTcpServer((socket) => {
      socket.write('HTTP/1.0 200 OK\r\nContent-Type: audio/mpeg\r\n\r\nsound')
      setTimeout(() => socket.resetAndDestroy(), 50)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const breaking = make(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const { body, size } = await breaking.openRecording(RECORDING, null, never)
    expect(size).toBeNull()
    await expect(collect(body)).rejects.toThrow('ECONNRESET')
    await breaking.close()
    server.close()
  })

  test('accepts a plain file whose content encoding has an invalid name', async () => {
    service.set('download', { bytes: 'sound', headers: { 'content-encoding': 'none' } })
    const { body } = await source.openRecording(RECORDING, null, never)
    expect(String(await collect(body))).toBe('sound')
  })

  test('only passes on audio types', async () => {
    for (const [type, told] of [
      ['audio/x-mpeg; charset=x', 'audio/x-mpeg'],
      ['image/svg+xml', 'audio/mpeg'],
      ['application/octet-stream', 'audio/mpeg'],
    ]) {
      service.set('download', { bytes: 'sound', type })
      expect((await source.openRecording(RECORDING, null, never)).type).toBe(told)
    }
  })
})

describe('images', () => {
  test('are fetched from the configured URL, without the key', async () => {
    const { song } = await source.nowPlaying(1)
    expect(song?.art).toBe('http://127.0.0.1:18099/api/station/1/art/0a1b2c-1609480800.jpg')
    expect(String(await source.readArt(song?.art ?? ''))).toBe('a picture')
    expect(service.requests.at(-1)).toMatchObject({ path: '/api/station/1/art/0a1b2c-1609480800.jpg' })
    expect(service.requests.at(-1)?.headers.authorization).toBeUndefined()
  })

  test('are not fetched from private addresses that a tag names', async () => {
    expect(await outcome(source.readArt('http://127.0.0.1:22/cover.jpg'))).toBe('away: not a public address')
    expect(await outcome(source.readArt('http://169.254.169.254/latest/'))).toBe('away: not a public address')
    service.set('art', { redirect: 'http://127.0.0.1:22/cover.jpg' })
    expect(await outcome(source.readArt(`${service.url}/api/station/1/art/1`))).toBe('away: not a public address')
  })

  test('are limited in size', async () => {
    service.set('art', { bytes: Buffer.alloc(5 * 1024 * 1024 + 1) })
    expect(await outcome(source.readArt(`${service.url}/api/station/1/art/1`))).toBe('away: too large')
  })

  test.each<[unknown, string | null]>([
    ['/art.jpg', 'SERVICE/art.jpg'],
    ['https://covers.example/1.jpg', 'https://covers.example/1.jpg'],
    ['data:image/png;base64,AAAA', null],
    ['javascript:alert(1)', null],
    ['http://user:pw@covers.example/1.jpg', null],
    [`https://covers.example/${'x'.repeat(3000)}`, null],
    [{ url: 'x' }, null],
  ])('handles the reference %j', async (art, expected) => {
    service.set('nowplaying', { json: { song: { title: 'T', art } } })
    expect((await source.nowPlaying(1)).song?.art).toBe(expected?.replace('SERVICE', service.url) ?? null)
  })
})

test('gives the lists of the archive more time than other answers', async () => {
  const timeouts = { ...BOUNDS, answerMs: 100, listMs: 5000 }
  const impatient = createAzuraCast({ url: service.url, key: RADIO_KEY, timeouts, now: () => new Date(time) })
  for (const [call, fixture] of [
    ['nowplaying', 'nowplaying'],
    ['stations', 'stations'],
    ['streamers', 'streamers'],
    ['broadcasts', 'broadcasts-0.21+'],
  ] as const) {
    service.set(call, { fixture, delayMs: 300 })
  }
  expect(await outcome(impatient.nowPlaying(1))).toBe('away: no answer in time')
  expect(await outcome(impatient.stations())).toBe('away: no answer in time')
  expect(await impatient.streamers(1)).toHaveLength(1)
  expect(await impatient.broadcasts(1, 3)).toHaveLength(2)
  await impatient.close()
})
