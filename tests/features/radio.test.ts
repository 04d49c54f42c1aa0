import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { callApi } from '#tests/helpers/apiCalls.ts'
import { openEventConnection } from '#tests/helpers/eventConnection.ts'
import { type Behaviour, RADIO_KEY, type RadioService, startRadioService } from '#tests/helpers/radioService.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const PLACEHOLDER = {
  song: { title: 'Unknown', artist: 'Unknown', album: 'Unknown', art: null },
  elapsed: 0,
  duration: 0,
  listeners: { current: 0, peak: 0 },
  live: { isLive: false, streamer: '' },
  isRequest: false,
  history: [],
  online: false,
  available: false,
}

let service: RadioService
let site: TestSite
let origin: string
let time = Date.UTC(2026, 10, 1)
/** Moves the clock forward, so that cached responses expire. */
const later = (seconds = 11) => {
  time += seconds * 1000
  site.setNow(new Date(time))
}
const get = (url: string) => callApi(site, 'GET', url)
const nowPlaying = async () => (await get('/api/radio/nowplaying/1')).body.nowPlaying

beforeAll(async () => {
  const art = await stillImage(2000, 1000).jpeg().toBuffer()
  service = await startRadioService({ art })
  site = await startSite({
    RADIO_URL: `${service.url}/api/`,
    RADIO_API_KEY: RADIO_KEY,
    SITE_URL: 'https://site.example',
  })
  await site.app.listen({ host: '127.0.0.1', port: 0 })
  origin = `http://127.0.0.1:${(site.app.server.address() as AddressInfo).port}`
})
beforeEach(() => later())
afterEach(() => service.set('all', null))
afterAll(async () => {
  await site.close()
  await service.close()
})

describe('API', () => {
  test("lists stations with the relay's URLs", async () => {
    const { status, body, headers } = await get('/api/radio/stations')
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        success: true,
        available: true,
        stations: [
          {
            ...{ id: 1, name: 'AzuraTest Radio', description: '' },
            ...{ listen_url: 'https://site.example/radio/1/stream', direct: false, takesRequests: false },
          },
        ],
      },
    })
    expect(headers['cache-control']).toBe('no-store')
  })

  test('returns what is on air, advanced by its age', async () => {
    const art = expect.stringMatching(/^\/api\/radio\/art\/[\w-]{40,}$/)
    expect(await nowPlaying()).toEqual({
      song: { title: 'Tëst “Title”', artist: 'Artist', album: 'Album', art },
      elapsed: 25,
      duration: 180,
      listeners: { current: 20, peak: 20 },
      live: { isLive: false, streamer: '' },
      isRequest: false,
      history: [
        {
          song: { title: 'Prev', artist: 'Artist 0', album: '', art },
          playedAt: '2021-01-01T05:56:40.000Z',
          isRequest: false,
        },
      ],
      online: true,
      available: true,
    })
    later(8)
    expect((await nowPlaying()).elapsed).toBe(33)
  })

  test('returns the same over tRPC', async () => {
    const answer = await get(`/trpc/radio.nowPlaying?input=${encodeURIComponent('{"json":{"stationId":1}}')}`)
    expect(answer.body.result.data.json).toEqual(await nowPlaying())
    expect((await get('/trpc/radio.stations')).body.result.data.json.available).toBe(true)
  })

  test('returns a live show, and a station that is off air', async () => {
    service.set('nowplaying', { fixture: 'nowplaying-live' })
    expect(await nowPlaying()).toMatchObject({
      live: { isLive: true, streamer: 'Test DJ' },
      isRequest: false,
      duration: 0,
      elapsed: 4000,
    })
    later()
    service.set('nowplaying', { fixture: 'nowplaying-offline' })
    expect(await nowPlaying()).toMatchObject({ song: PLACEHOLDER.song, online: false, available: true })
  })

  test('rejects unknown station ids in any notation', async () => {
    for (const id of ['2', '0', '-1', '1e0', '01', '1.0', 'constructor', '9'.repeat(40), '%00', 'ａ', '__proto__']) {
      const { status, body } = await get(`/api/radio/nowplaying/${id}`)
      expect({ id, status, body }).toEqual({ id, status: 404, body: { success: false, error: 'Station not found' } })
    }
    expect((await get('/api/radio/nowplaying/')).status).toBe(404)
    expect((await callApi(site, 'POST', '/api/radio/stations', { json: {} })).status).toBe(404)
  })
})

describe('request sharing', () => {
  test('sends one request for five hundred clients and ten seconds', async () => {
    const before = service.count('nowplaying')
    await Promise.all(Array.from({ length: 500 }, nowPlaying))
    later(9)
    await nowPlaying()
    expect(service.count('nowplaying') - before).toBe(1)
    later(2)
    await nowPlaying()
    expect(service.count('nowplaying') - before).toBe(2)
  })

  test('requests only the list of stations for unknown ids', async () => {
    const before = service.count()
    await Promise.all(Array.from({ length: 200 }, (_, id) => get(`/api/radio/nowplaying/${id + 2}`)))
    expect(service.count() - before).toBe(1)
  })
})

describe('a failing service', () => {
  const troubles: [string, Behaviour][] = [
    ['403', 'forbidden'],
    ['500', 'broken'],
    ['an HTML page', 'html'],
    ['a broken connection', 'death'],
    ['an unknown format', { json: { song: 'x'.repeat(5), listeners: 'many', now_playing: 7 } }],
    ['a list', { json: [[], null, 1] }],
    ['a redirect to another server', { redirect: 'http://example.invalid/' }],
  ]
  test.each(troubles)('%s: returns the placeholder and an empty list, and recovers', async (_name, behaviour) => {
    service.set('all', behaviour)
    expect(await get('/api/radio/stations')).toMatchObject({
      status: 200,
      body: { success: true, stations: [], available: false },
    })
    expect(await get('/api/radio/nowplaying/1')).toMatchObject({ status: 200, body: { nowPlaying: PLACEHOLDER } })
    expect((await get('/api/radio/nowplaying/77')).body.nowPlaying).toEqual(PLACEHOLDER)
    service.set('all', null)
    later(4)
    expect((await get('/api/radio/stations')).body.stations).toHaveLength(1)
    later(7)
    expect(await nowPlaying()).toMatchObject({ available: true, song: { artist: 'Artist' } })
  })

  test('returns what is on air while the list of stations fails', async () => {
    service.set('stations', 'broken')
    expect(await nowPlaying()).toMatchObject({ available: true, song: { artist: 'Artist' } })
  })

  test('times out after four seconds, so that a failure shows within fifteen', async () => {
    service.set('all', 'silence')
    const started = performance.now()
    const answers = await Promise.all([nowPlaying(), nowPlaying(), nowPlaying()])
    expect(performance.now() - started).toBeLessThan(20_000)
    expect(answers).toEqual([PLACEHOLDER, PLACEHOLDER, PLACEHOLDER])
  })

  test('respects Retry-After of the service', async () => {
    service.set('nowplaying', { tooMany: '30' })
    expect(await nowPlaying()).toEqual(PLACEHOLDER)
    service.set('nowplaying', null)
    const before = service.count()
    later(11)
    expect(await nowPlaying()).toEqual(PLACEHOLDER)
    later(11)
    expect(await nowPlaying()).toEqual(PLACEHOLDER)
    expect(service.count()).toBe(before)
    later(11)
    expect((await nowPlaying()).available).toBe(true)
  })
})

describe('art', () => {
  const artPath = async (): Promise<string> => (await nowPlaying()).song.art

  test('is resized to two sizes and cacheable', async () => {
    const path = await artPath()
    const before = service.count('art')
    const answers = await Promise.all([1, 2, 3].map(() => site.app.inject({ url: path })))
    for (const { statusCode, headers, rawPayload } of answers) {
      expect({ statusCode, headers }).toMatchObject({
        statusCode: 200,
        headers: {
          'content-type': 'image/webp',
          'cache-control': 'public, max-age=86400, immutable',
          'x-content-type-options': 'nosniff',
        },
      })
      expect(await sharp(rawPayload).metadata()).toMatchObject({ format: 'webp', width: 512, height: 256 })
    }
    const small = await site.app.inject({ url: `${path}/small` })
    expect(await sharp(small.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 128, height: 64 })
    later(3600)
    expect((await site.app.inject({ url: path, method: 'HEAD' })).statusCode).toBe(200)
    expect(service.count('art') - before).toBe(1)
  })

  test('is not fetched for unknown keys', async () => {
    const before = service.count()
    for (const key of ['x', 'A'.repeat(22), '..%2f..%2fetc', 'constructor', '%00', 'x'.repeat(8000)]) {
      const answer = await get(`/api/radio/art/${key}`)
      expect({ key, ...answer }).toMatchObject({ status: 404, body: { success: false, error: 'Not found' } })
      expect(answer.headers['cache-control']).toBe('no-store')
      expect((await get(`/api/radio/art/${key}/small`)).status).toBe(404)
    }
    expect(service.count()).toBe(before)
  })

  const none: [string, Behaviour][] = [
    ['an HTML page', 'html'],
    ['an invalid image', { bytes: 'GIF89a and no more' }],
    ['SVG', { bytes: '<svg xmlns="http://www.w3.org/2000/svg"/>', type: 'image/svg+xml' }],
    ['too many bytes', { bytes: Buffer.alloc(6_000_000) }],
    ['a failure', 'broken'],
    ['a redirect to a private address', { redirect: 'http://127.0.0.1:22/' }],
  ]
  test.each(none)('%s: returns 404 and is not retried at once', async (name, behaviour) => {
    service.set('nowplaying', { json: { song: { title: 'T', art: `/api/station/1/art/${encodeURI(name)}` } } })
    service.set('art', behaviour)
    const path = await artPath()
    const before = service.count('art')
    for (let look = 0; look < 3; look++) expect((await get(path)).status).toBe(404)
    expect(service.count('art') - before).toBe(1)
    service.set('art', null)
    later(61)
    expect((await get(path)).status).toBe(200)
  })
})

test('publishes now-playing events to subscribers, and polls only for them', async () => {
  site.setNow(null)
  const news = await openEventConnection(origin, ['radio:1'])
  expect((await news.next()).event).toMatchObject({
    topic: 'radio:1',
    change: { kind: 'now-playing', nowPlaying: { song: { artist: 'Artist' }, available: true } },
  })
  news.close()
  await news.ended
})

test('relays the stream and shows its title before the service does', async () => {
  site.setNow(null)
  service.title = 'Heard - In the stream'
  const abort = new AbortController()
  const answer = await fetch(`${origin}/radio/1/stream`, { signal: abort.signal })
  expect(answer.headers.get('content-type')).toBe('audio/mpeg')
  const { value } = (await answer.body?.getReader().read()) ?? {}
  expect([value?.[0], value?.[1]]).toEqual([0xff, 0xfb])
  expect(service.listeners()).toBe(1)
  await expect.poll(async () => (await nowPlaying()).song).toMatchObject({ title: 'In the stream', artist: 'Heard' })
  abort.abort()
  expect((await fetch(`${origin}/radio/2/stream`)).status).toBe(404)
})

test('shows the title of a stream that runs while the service says that it is offline', async () => {
  service.title = 'Heard - Behind a relay'
  service.set('nowplaying', { fixture: 'nowplaying-offline' })
  const abort = new AbortController()
  await fetch(`${origin}/radio/1/stream`, { signal: abort.signal })
  const shown = { song: { title: 'Behind a relay', artist: 'Heard' }, online: true }
  await expect.poll(nowPlaying).toMatchObject(shown)
  later()
  expect(await nowPlaying()).toMatchObject(shown)
  abort.abort()
})

test("lets browsers use the service's streams directly when configured, in the policy too", async () => {
  const direct = await startSite({ RADIO_URL: service.url, RADIO_API_KEY: RADIO_KEY, RADIO_DIRECT: 'on' })
  const policy = async () => String((await callApi(direct, 'GET', '/healthz')).headers['content-security-policy'])
  const sources = async () => /media-src ([^;]*)/.exec(await policy())?.[1]
  // The policy allows any origin until the server knows the stations.
  expect(await sources()).toBe("'self' https: http:")
  const { body } = await callApi(direct, 'GET', '/api/radio/stations')
  expect(body.stations[0]).toMatchObject({
    listen_url: `${service.url}/listen/azuratest_radio/radio.mp3`,
    direct: true,
  })
  expect(await sources()).toBe(`'self' ${service.url}`)
  await direct.close()
  expect((await get('/healthz')).headers['content-security-policy']).toContain("media-src 'self';")
})

test('uses the embedded station without a service, at no cost before first use', async () => {
  const own = await startSite()
  const { body } = await callApi(own, 'GET', '/api/radio/stations')
  expect(body).toMatchObject({ available: true, stations: [{ id: 1, direct: false }] })
  const { body: on } = await callApi(own, 'GET', '/api/radio/nowplaying/1')
  expect(on.nowPlaying).toMatchObject({ available: true, listeners: { current: 0, peak: 0 } })
  await own.close()
})

test('shuts down while clients listen', async () => {
  const ending = await startSite({ RADIO_URL: service.url, RADIO_API_KEY: RADIO_KEY })
  await ending.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = ending.app.server.address() as AddressInfo
  const answer = await fetch(`http://127.0.0.1:${port}/radio/1/stream`)
  const heard = answer.arrayBuffer().catch(() => {})
  const started = performance.now()
  await ending.close()
  expect(performance.now() - started).toBeLessThan(20_000)
  await heard
})
