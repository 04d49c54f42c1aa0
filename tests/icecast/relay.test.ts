import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { readConfig } from '#server/core/config/config.ts'
import { createRelay } from '#server/features/radio/output/relay/relay.ts'
import { registerRadioStream } from '#server/features/radio/output/streamRoute.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import { type Icecast, icecastSource, startIcecast, until } from '#tests/helpers/icecast.ts'

const programs = inject('icecast')
const MOUNTS = ['mp3', 'aac', 'vorbis', 'opus'] as const
/** The relay keeps an unused stream open for this time; 30 s in production. */
const LINGER_MS = 1500
const STATION_NAME = 'Ätherwelle'
const TITLE = "Über - It's on"

let icecast: Icecast
let app: FastifyInstance
let relay: ReturnType<typeof createRelay>
let origin: string
const titles: string[] = []
const upstreams: IncomingMessage[] = []
const feeds = new Map<string, { stop: () => Promise<void> }>()
const listeners: { close: () => void }[] = []

beforeAll(async () => {
  if (!programs) return
  icecast = await startIcecast(programs)
  for (const codec of isDeep ? MOUNTS : (['mp3'] as const)) feeds.set(codec, await icecast.feed(codec, codec))
  app = Fastify()
  relay = createRelay({
    source: icecastSource(icecast, [...MOUNTS], upstreams),
    maxListeners: 100,
    lingerMs: LINGER_MS,
    log: app.log,
    onTitle: (_stationId, title) => titles.push(title),
  })
  const stations = async () => ({ stations: [{ id: 1, name: STATION_NAME }], available: true })
  registerRadioStream(app, { radio: { listen: relay.listen, stations } as never, config: readConfig({}) })
  app.addHook('preClose', () => relay.close())
  await app.listen({ host: '127.0.0.1', port: 0 })
  origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
})
afterEach(async () => {
  for (const listener of listeners.splice(0)) listener.close()
  for (const codec of feeds.keys()) await until(async () => (await icecast.listeners(codec)) === 0)
})
afterAll(async () => {
  await app?.close()
  await icecast?.stop()
})

const listen = (codec: (typeof MOUNTS)[number]) =>
  connectListener(`${origin}/radio/${MOUNTS.indexOf(codec) + 1}/stream`)

/** Connects a listener and records the received bytes. */
function connectListener(url: string) {
  const chunks: Buffer[] = []
  const state = { type: '', status: 0, ended: false }
  const clientRequest = request(url, (response) => {
    state.status = response.statusCode ?? 0
    state.type = response.headers['content-type'] ?? ''
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('end', () => {
      state.ended = true
    })
    response.on('error', () => {})
  })
  clientRequest.on('error', () => {})
  clientRequest.end()
  const listener = {
    state,
    bytes: () => Buffer.concat(chunks),
    size: () => chunks.reduce((sum, { length }) => sum + length, 0),
    close: () => clientRequest.destroy(),
  }
  listeners.push(listener)
  return listener
}

/** Decodes `bytes` with ffmpeg and returns the playable seconds and all warnings. */
async function decode(bytes: Buffer, format: string): Promise<{ seconds: number; warnings: string }> {
  const args = ['-v', 'warning', '-f', format, '-i', 'pipe:0', '-f', 's16le', '-ac', '1', '-ar', '8000', 'pipe:1']
  const child = spawn(programs?.ffmpeg ?? '', args)
  let [size, warnings] = [0, '']
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length
  })
  child.stderr.on('data', (chunk) => {
    warnings += chunk
  })
  child.stdin.end(bytes)
  await once(child, 'close')
  return { seconds: size / 16_000, warnings }
}

/** Returns what ffprobe, which asks for ICY metadata, says of eight seconds of a stream. */
async function probe(url: string): Promise<{ format: { tags: Record<string, string> } }> {
  const child = spawn((programs?.ffmpeg ?? '').replace(/ffmpeg$/, 'ffprobe'), [
    ...['-v', 'error', '-of', 'json', '-show_format', '-count_packets', '-read_intervals', '%+8'],
    url,
  ])
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  await once(child, 'close')
  return JSON.parse(output)
}

describe.skipIf(!programs)('relay of a real Icecast', () => {
  test('shows the title of a stream in a real player', async () => {
    await icecast.setTitle('mp3', TITLE)
    const { format } = await probe(`${origin}/radio/${MOUNTS.indexOf('mp3') + 1}/stream`)
    expect(format.tags).toMatchObject({ StreamTitle: TITLE, 'icy-name': STATION_NAME })
  })

  test.runIf(isDeep).each([
    ['mp3', 'audio/mpeg', 'mp3'],
    ['aac', 'audio/aac', 'aac'],
    ['vorbis', 'audio/ogg', 'ogg'],
    ['opus', 'audio/ogg', 'ogg'],
  ] as const)('plays %s for several listeners over one upstream', async (codec, type, format) => {
    const first = listen(codec)
    await until(() => first.size() > 0)
    expect(first.state).toMatchObject({ status: 200, type })
    const others = [1, 2, 3].map(() => listen(codec))
    await until(() => others.every((listener) => listener.size() > 0))
    // waits for a few more seconds of sound
    const before = first.size()
    await until(() => first.size() > before + 30_000)
    expect(await icecast.listeners(codec)).toBe(1)
    expect(relay.listeners(MOUNTS.indexOf(codec) + 1)).toBe(4)
    for (const listener of [first, others[0] as typeof first]) {
      const { seconds, warnings } = await decode(listener.bytes(), format)
      expect(warnings.replace(/.*Estimating duration from bitrate.*\n/g, '')).toBe('')
      expect(seconds).toBeGreaterThan(2)
    }
  })

  test('reports stream titles and removes them from the sound', async () => {
    const listener = listen('mp3')
    await until(() => listener.size() > 0)
    await icecast.setTitle('mp3', "Röyksopp - It's what I want")
    await until(() => titles.includes("Röyksopp - It's what I want"))
    expect(listener.bytes().includes('StreamTitle')).toBe(false)
  })

  test('closes the upstream after the last listener has left', async () => {
    const listener = listen('mp3')
    await until(() => listener.size() > 0)
    // Icecast counts a listener some time after its first bytes.
    await until(async () => (await icecast.listeners('mp3')) === 1)
    listener.close()
    await until(async () => (await icecast.listeners('mp3')) === 0)
  })

  test.runIf(isDeep)('resumes a broken connection without a missing or extra byte', async () => {
    const witness = connectListener(`${icecast.origin}/mp3`)
    const listener = listen('mp3')
    await until(() => listener.size() > 100_000)
    for (let number = 0; number < 3; number++) {
      upstreams.at(-1)?.destroy()
      const before = listener.size()
      await until(() => listener.size() > before + 20_000)
    }
    const received = listener.size()
    await until(() => witness.size() > received + 40_000)
    expect(witness.bytes().includes(listener.bytes().subarray(0, received))).toBe(true)
  })

  test('continues the same response without errors after the source restarts', async () => {
    const listener = listen('mp3')
    await until(() => listener.size() > 100_000)
    await feeds.get('mp3')?.stop()
    feeds.set('mp3', await icecast.feed('mp3', 'mp3'))
    const before = listener.size()
    await until(() => listener.size() > before + 50_000)
    expect(listener.state.ended).toBe(false)
    const { warnings } = await decode(listener.bytes(), 'mp3')
    // ffmpeg may warn "invalid new backstep": MP3 frames can need bits of earlier frames, which a restart loses
    expect(warnings.replace(/.*(Estimating duration from bitrate|invalid new backstep).*\n/g, '')).toBe('')
  })

  test.runIf(isDeep)('ends responses when the source changes its format, and plays the new format', async () => {
    const listener = listen('mp3')
    await until(() => listener.size() > 50_000)
    await feeds.get('mp3')?.stop()
    feeds.set('mp3', await icecast.feed('mp3', 'mp3', 48_000))
    await until(() => listener.state.ended)
    const reconnected = listen('mp3')
    await until(() => reconnected.size() > 50_000)
    const { seconds, warnings } = await decode(reconnected.bytes(), 'mp3')
    expect(warnings.replace(/.*Estimating duration from bitrate.*\n/g, '')).toBe('')
    expect(seconds).toBeGreaterThan(2)
  })
})
