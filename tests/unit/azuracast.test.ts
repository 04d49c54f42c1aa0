import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createAzuraCast } from '#server/features/radio/azuracast/azuracast.ts'
import type { RadioSource } from '#server/features/radio/types.ts'
import {
  type Behaviour,
  outcome,
  RADIO_KEY,
  type RadioService,
  startRadioService,
} from '#tests/helpers/radioService.ts'

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

describe('API calls', () => {
  test('requests the documented URLs with the API key', async () => {
    await source.stations()
    await source.nowPlaying(1)
    await source.streamers(1)
    await source.broadcasts(1, 3)
    await buffer((await source.openRecording(RECORDING, null, never)).body)
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
