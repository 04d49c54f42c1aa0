import { once } from 'node:events'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createAzuraCast } from '#server/features/radio/azuracast/azuracast.ts'
import type { AudioFrame } from '#server/features/radio/input/frames/audioParser.ts'
import type { RadioSource } from '#server/features/radio/types.ts'
import { framesOf } from '#tests/helpers/mp3.ts'
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

async function collect(body: AsyncIterable<Buffer>, most = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of body) {
    chunks.push(chunk)
    most -= chunk.length
    if (most <= 0) break
  }
  return Buffer.concat(chunks)
}

describe('stream', () => {
  /** Reads a second of sound. */
  async function hear(sound: AsyncIterable<AudioFrame[]>, frameCount = 40) {
    const frames: AudioFrame[] = []
    for await (const piece of sound) {
      frames.push(...piece)
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
