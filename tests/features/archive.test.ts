import { once } from 'node:events'
import { createServer, get as httpGet } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { callApi } from '#tests/helpers/apiCalls.ts'
import { type Behaviour, RADIO_KEY, type RadioService, startRadioService } from '#tests/helpers/radioService.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const STREAMERS = '/api/radio/station/1/streamers'
const BROADCASTS = '/api/radio/station/1/streamer/3/broadcasts'
const DOWNLOAD = '/api/radio/station/1/streamer/3/broadcast/7/download'
const RUNNING = { id: 8, title: null, timestampEnd: null, recording: null }
const STREAMER = { id: 3, streamer_username: 'dj_test', display_name: 'Test DJ', comments: null }

let service: RadioService
let site: TestSite
let clock = Date.parse('2026-11-21T12:00:00Z')

beforeAll(async () => {
  service = await startRadioService()
  site = await startSite({ RADIO_URL: service.url, RADIO_API_KEY: RADIO_KEY })
  await site.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await site.close()
  await service.close()
})
beforeEach(() => {
  service.set('all', null)
  service.ranges = true
  later()
})

/** Moves the clock forward, so that cached responses expire. */
function later(): void {
  clock += 5 * 60_000
  site.setNow(new Date(clock))
}

/** Calls the REST route and the tRPC procedure, and expects the same result. */
async function read(path: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const { status, body } = await callApi(site, 'GET', path)
  const [, stationId, streamerId] = /station\/([^/]*)(?:\/streamer\/([^/]*)\/broadcasts)?/.exec(path) ?? []
  const input = encodeURIComponent(JSON.stringify({ json: { stationId, ...(streamerId && { streamerId }) } }))
  const name = streamerId ? 'archive.broadcasts' : 'archive.streamers'
  const own = await callApi(site, 'GET', `/trpc/${name}?input=${input}`)
  expect(own.status).toBe(status)
  if (status === 200) expect({ success: true, ...own.body.result.data.json }).toEqual(body)
  return { status, body }
}

const download = (headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET', url = DOWNLOAD) =>
  site.app.inject({ method, url, headers })

describe('streamers', () => {
  test('lists streamers without internal fields', async () => {
    expect(await read(STREAMERS)).toEqual({
      status: 200,
      body: { success: true, available: true, streamers: [STREAMER] },
    })
  })

  test('returns comments and odd names as text, without passwords', async () => {
    const odd = { streamer_username: '<b>x</b>"\r\n', display_name: null, comments: 'On <i>Tuesdays</i>' }
    service.set('streamers', { json: { rows: [{ id: 3, ...odd, streamer_password: 'hunter2' }, { id: 'x' }, null] } })
    const { body } = await read(STREAMERS)
    expect(body.streamers).toHaveLength(1)
    expect(body).toMatchObject({ streamers: [{ id: 3, comments: 'On <i>Tuesdays</i>' }] })
    expect(JSON.stringify(body)).not.toContain('hunter2')
  })
})

describe('broadcasts', () => {
  const size = 115_343_360

  test.each<[fixture: string, expected: object[]]>([
    [
      'broadcasts-0.21+',
      [
        { ...RUNNING, timestampStart: '2026-03-01T20:00:00.123Z' },
        {
          id: 7,
          title: null,
          timestampStart: '2026-02-22T20:00:00.000Z',
          timestampEnd: '2026-02-22T22:00:00.000Z',
          recording: { size },
        },
      ],
    ],
    [
      'broadcasts-pre-0.21',
      [
        { ...RUNNING, timestampStart: '2024-03-01T20:00:00.000Z' },
        {
          id: 7,
          title: null,
          timestampStart: '2024-02-22T20:00:00.000Z',
          timestampEnd: '2024-02-22T22:00:00.000Z',
          recording: { size },
        },
      ],
    ],
    [
      'broadcasts-paginated',
      [
        {
          id: 7,
          title: null,
          timestampStart: '2026-02-22T20:00:00.000Z',
          timestampEnd: '2026-02-22T22:00:00.000Z',
          recording: null,
        },
      ],
    ],
  ])('%s', async (fixture, broadcasts) => {
    service.set('broadcasts', { fixture })
    expect(await read(BROADCASTS)).toEqual({ status: 200, body: { success: true, available: true, broadcasts } })
  })

  test('sorts broadcasts newest first', async () => {
    const days = [3, 21, 9].map((day) => ({
      id: day,
      timestampStart: Date.UTC(2026, 1, day) / 1000,
      timestampEnd: Date.UTC(2026, 1, day, 2) / 1000,
      recording: [],
    }))
    service.set('broadcasts', { json: days })
    const { body } = await read(BROADCASTS)
    expect((body.broadcasts as { id: number }[]).map(({ id }) => id)).toEqual([21, 9, 3])
  })
})

describe('a failing service', () => {
  const troubles: [string, Behaviour][] = [
    ['403', 'forbidden'],
    ['an HTML page', 'html'],
    ['500', 'broken'],
    ['broken connection', 'death'],
    ['429', { tooMany: '1' }],
    ['unknown format', { json: { rows: 'none' } }],
  ]
  const failLists = (behaviour: Behaviour) => {
    service.set('streamers', behaviour)
    service.set('broadcasts', behaviour)
  }

  test.each(troubles)('%s: returns empty lists as unavailable and refuses downloads', async (_name, behaviour) => {
    const fresh = await startSite({ RADIO_URL: service.url, RADIO_API_KEY: RADIO_KEY })
    failLists(behaviour)
    const lists = [{ streamers: [] }, { broadcasts: [] }].map((list) => ({ success: true, ...list, available: false }))
    expect((await callApi(fresh, 'GET', STREAMERS)).body).toEqual(lists[0])
    expect((await callApi(fresh, 'GET', BROADCASTS)).body).toEqual(lists[1])
    const answer = await fresh.app.inject({ method: 'GET', url: DOWNLOAD })
    expect([answer.statusCode, answer.json()]).toEqual([503, { success: false, error: 'The radio isn’t responding' }])
    expect(answer.headers['retry-after']).toBeDefined()
    service.set('all', null)
    fresh.setNow(new Date(Date.now() + 60_000))
    expect((await callApi(fresh, 'GET', BROADCASTS)).body.available).toBe(true)
    expect((await fresh.app.inject({ method: 'GET', url: DOWNLOAD })).statusCode).toBe(200)
    await fresh.close()
  })

  test.each(troubles)('%s: keeps the last lists, downloads and podcast', async (_name, behaviour) => {
    const [streamers, broadcasts] = [await read(STREAMERS), await read(BROADCASTS)]
    expect(broadcasts.body).toMatchObject({ available: true, broadcasts: [{ id: 8 }, { id: 7 }] })
    failLists(behaviour)
    later()
    expect([await read(STREAMERS), await read(BROADCASTS)]).toEqual([streamers, broadcasts])
    const isPaused = typeof behaviour === 'object' && 'tooMany' in behaviour
    expect((await download()).statusCode).toBe(isPaused ? 503 : 200)
    expect((await site.app.inject('/archive/streamer/3/podcast.xml')).body).toContain('<item>')
  })

  test('no answer: keeps the last lists', async () => {
    const slow = await startSite({ RADIO_URL: service.url, RADIO_API_KEY: RADIO_KEY })
    const { body } = await callApi(slow, 'GET', BROADCASTS)
    failLists('silence')
    slow.setNow(new Date(Date.now() + 60_000))
    expect((await callApi(slow, 'GET', BROADCASTS)).body).toEqual(body)
    await slow.close()
  })

  test('a streamer that the service no longer knows is missing', async () => {
    await read(BROADCASTS)
    service.set('broadcasts', { json: {}, status: 404 })
    later()
    expect((await read(BROADCASTS)).status).toBe(404)
  })

  test.each<[string, Behaviour, number]>([
    ['403', 'forbidden', 503],
    ['an HTML page', 'html', 503],
    ['500', 'broken', 503],
    ['a missing file', { json: {}, status: 404 }, 404],
    ['a redirect to another server', { redirect: 'http://127.0.0.1:1/' }, 503],
  ])('refuses a download: %s', async (_name, behaviour, status) => {
    service.set('download', behaviour)
    const answer = await download()
    const error = status === 404 ? 'Broadcast not found' : 'The radio isn’t responding'
    expect([answer.statusCode, answer.json()]).toEqual([status, { success: false, error }])
    expect(answer.headers['content-disposition']).toBeUndefined()
  })
})

describe('unknown resources', () => {
  const long = '9'.repeat(200)

  test.each([
    '/api/radio/station/2/streamers',
    '/api/radio/station/-1/streamers',
    '/api/radio/station/x/streamers',
    `/api/radio/station/${long}/streamers`,
    '/api/radio/station/%2e%2e%2f1/streamers',
    '/api/radio/station/1.0/streamers',
  ])('%s', async (path) => {
    expect((await callApi(site, 'GET', path)).body).toEqual({ success: false, error: 'Station not found' })
    expect((await callApi(site, 'GET', path)).status).toBe(404)
  })

  test.each(['4', '-3', 'x', long, '%00', '__proto__'])('streamer %s', async (id) => {
    const { status, body } = await callApi(site, 'GET', BROADCASTS.replace('/3/', `/${id}/`))
    expect([status, body.success]).toEqual([404, false])
  })

  test.each(['8', '9', '-7', 'x', long, '%00', 'constructor'])('the recording of broadcast %s', async (id) => {
    const answer = await download({}, 'GET', DOWNLOAD.replace('/7/', `/${id}/`))
    expect([answer.statusCode, answer.json()]).toEqual([404, { success: false, error: 'Broadcast not found' }])
    expect(service.requests.filter(({ path }) => path.includes(long))).toEqual([])
  })

  test('rejects other methods', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      for (const path of [STREAMERS, BROADCASTS, DOWNLOAD]) {
        expect((await callApi(site, method, path)).status).toBe(404)
      }
    }
  })
})

describe('a recording', () => {
  test('is fetched with the API key, and exposes nothing of the service', async () => {
    const secret = { 'set-cookie': 'a=b', server: 'nginx/1', 'x-powered-by': 'PHP', link: `<${service.url}>` }
    const headers = { ...secret, 'content-length': String(service.recording.length) }
    service.set('download', { bytes: service.recording, type: 'audio/mpeg', headers })
    const answer = await download({ cookie: 'c=d', authorization: 'Bearer of-the-visitor' })
    expect(answer.rawPayload.equals(service.recording)).toBe(true)
    expect(answer.headers).toMatchObject({
      'content-type': 'audio/mpeg',
      'content-length': String(service.recording.length),
      'content-disposition': 'attachment; filename="dj_test_22-02-2026.mp3"',
    })
    for (const name of Object.keys(secret)) expect([name, answer.headers[name]]).toEqual([name, undefined])
    expect(JSON.stringify(answer.headers)).not.toContain(RADIO_KEY)
    const asked = service.requests.findLast((one) => one.call === 'download')
    expect(asked?.headers.authorization).toBe(`Bearer ${RADIO_KEY}`)
    expect(asked?.headers.cookie).toBeUndefined()
  })

  test('is sent in ranges, or whole if the service does not support ranges', async () => {
    const part = await download({ range: 'bytes=100-199' })
    expect(part.statusCode).toBe(206)
    expect(part.headers['content-range']).toBe(`bytes 100-199/${service.recording.length}`)
    expect(part.rawPayload.equals(service.recording.subarray(100, 200))).toBe(true)
    const beyond = await download({ range: 'bytes=99999999-' })
    expect([beyond.statusCode, beyond.headers['content-range']]).toEqual([416, `bytes */${service.recording.length}`])
    service.ranges = false
    const whole = await download({ range: 'bytes=100-199' })
    expect([whole.statusCode, whole.rawPayload.length]).toEqual([200, service.recording.length])
  })

  test('requests only headers for HEAD', async () => {
    const answer = await download({}, 'HEAD')
    expect([answer.statusCode, answer.body]).toEqual([200, ''])
    expect(answer.headers['content-length']).toBe(String(service.recording.length))
  })

  test('keeps a hostile streamer name out of headers and paths', async () => {
    const name = '../x"\r\nset-cookie: a=b\r\n\r\n<script>\u202e3pm.exe'
    service.set('streamers', { json: [{ ...STREAMER, streamer_username: name }] })
    const { headers, statusCode } = await download()
    expect(statusCode).toBe(200)
    expect(headers['set-cookie']).toBeUndefined()
    expect(headers['content-disposition']).toMatch(/^attachment; filename="[\w.()-]+_22-02-2026\.mp3"/)
  })

  test('serves ten downloads at once', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => download()))
    expect(answers.every(({ rawPayload }) => rawPayload.equals(service.recording))).toBe(true)
  })

  test('cuts the connection when the source breaks off', async () => {
    service.set('download', 'death')
    const { port } = site.app.server.address() as AddressInfo
    await expect(
      fetch(`http://127.0.0.1:${port}${DOWNLOAD}`).then(async (answer) => {
        if (answer.status === 200) return answer.arrayBuffer()
        throw new Error(`answered ${answer.status}`)
      }),
    ).rejects.toThrow()
  })
})

test('ends the transfer from the service when the client leaves', async () => {
  let sending = 0
  const endless = createServer((request, response) => {
    const json = (value: unknown) => response.end(JSON.stringify(value))
    if (request.url?.endsWith('/stations')) return json([{ id: 1, name: 'a', listen_url: 'http://127.0.0.1:1/' }])
    if (request.url?.endsWith('/streamers')) return json([STREAMER])
    const recording = { size: 1e9 }
    if (request.url?.endsWith('/broadcasts')) {
      return json([{ id: 7, timestampStart: 1708632000, timestampEnd: 1708639200, recording }])
    }
    sending++
    response.on('close', () => sending--)
    response.writeHead(200, { 'content-type': 'audio/mpeg', 'content-length': 1e9 })
    const write = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536))) {}
    }
    response.on('drain', write)
    write()
  }).listen(0, '127.0.0.1')
  await once(endless, 'listening')
  const other = await startSite({ RADIO_URL: `http://127.0.0.1:${(endless.address() as AddressInfo).port}` })
  await other.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = other.app.server.address() as AddressInfo

  const readers = await Promise.all(
    Array.from(
      { length: 5 },
      () =>
        new Promise<import('node:http').IncomingMessage>((resolve) => {
          httpGet({ port, host: '127.0.0.1', path: DOWNLOAD, agent: false }, resolve)
        }),
    ),
  )
  expect([readers.map(({ statusCode }) => statusCode), sending]).toEqual([[200, 200, 200, 200, 200], 5])
  for (const reader of readers) reader.destroy()
  await expect.poll(() => sending).toBe(0)

  const head = await other.app.inject({ method: 'HEAD', url: DOWNLOAD })
  expect(head.statusCode).toBe(200)
  await expect.poll(() => sending).toBe(0)
  await other.close()
  endless.closeAllConnections()
  endless.close()
})
