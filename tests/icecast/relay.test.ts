import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { readConfig } from '#server/core/config/config.ts'
import { createRelay } from '#server/features/radio/relay/relay.ts'
import { registerRadioStream } from '#server/features/radio/streamRoute.ts'
import type { NowPlaying } from '#src/contract/radio.ts'
import { type Icecast, icecastSource, startIcecast, until } from '#tests/helpers/icecast.ts'

const programs = inject('icecast')
const MOUNTS = ['mp3', 'aac', 'vorbis', 'opus'] as const
/** In place of half a minute. */
const LINGER_MS = 1500

let icecast: Icecast
let app: FastifyInstance
let relay: ReturnType<typeof createRelay>
let origin: string
const titles: string[] = []
const upstreams: Readable[] = []
const feeds = new Map<string, { stop: () => Promise<void> }>()
const heard: { close: () => void }[] = []

beforeAll(async () => {
  if (!programs) return
  icecast = await startIcecast(programs)
  for (const codec of MOUNTS) feeds.set(codec, await icecast.feed(codec, codec))
  app = Fastify()
  const source = icecastSource(icecast, [...MOUNTS])
  relay = createRelay({
    source: {
      openStream: async (stationId, signal) => {
        const stream = await source.openStream(stationId, signal)
        upstreams.push(stream.body as Readable)
        return stream
      },
    },
    maxListeners: 100,
    lingerMs: LINGER_MS,
    log: app.log,
    onTitle: (_stationId, title) => titles.push(title),
  })
  const nowPlaying = async () => ({ available: true }) as NowPlaying
  registerRadioStream(app, { radio: { listen: relay.listen, nowPlaying } as never, config: readConfig({}) })
  app.addHook('preClose', () => relay.close())
  await app.listen({ host: '127.0.0.1', port: 0 })
  origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
})
afterEach(async () => {
  for (const one of heard.splice(0)) one.close()
  for (const codec of MOUNTS) await until(async () => !programs || (await icecast.listeners(codec)) === 0)
})
afterAll(async () => {
  await app?.close()
  await icecast?.stop()
})

const listen = (codec: (typeof MOUNTS)[number]) => hear(`${origin}/radio/${MOUNTS.indexOf(codec) + 1}/stream`)

/** Listens, noting what comes and when. */
function hear(url: string) {
  const start = performance.now()
  const chunks: Buffer[] = []
  const state = { type: '', status: 0, firstMs: Number.NaN, ended: false }
  const asked = request(url, (answer) => {
    state.status = answer.statusCode ?? 0
    state.type = answer.headers['content-type'] ?? ''
    answer.on('data', (chunk: Buffer) => {
      if (chunks.length === 0) state.firstMs = performance.now() - start
      chunks.push(chunk)
    })
    answer.on('end', () => {
      state.ended = true
    })
    answer.on('error', () => {})
  })
  asked.on('error', () => {})
  asked.end()
  const one = {
    state,
    bytes: () => Buffer.concat(chunks),
    size: () => chunks.reduce((sum, { length }) => sum + length, 0),
    close: () => asked.destroy(),
  }
  heard.push(one)
  return one
}

/** The first to listen; a machine that is busy with other tests gets three chances to be quick. */
async function listenFirst(codec: (typeof MOUNTS)[number], withinMs: number) {
  for (let tries = 3; ; tries--) {
    const one = listen(codec)
    await until(() => one.size() > 0)
    if (one.state.firstMs < withinMs || tries === 1) return one
    one.close()
    await until(async () => (await icecast.listeners(codec)) === 0)
  }
}

/** What ffmpeg makes of it: seconds it could play, and everything it complains of. */
async function decode(bytes: Buffer, format: string): Promise<{ seconds: number; complaints: string }> {
  const args = ['-v', 'warning', '-f', format, '-i', 'pipe:0', '-f', 's16le', '-ac', '1', '-ar', '8000', 'pipe:1']
  const child = spawn(programs?.ffmpeg ?? '', args)
  let [size, complaints] = [0, '']
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length
  })
  child.stderr.on('data', (chunk) => {
    complaints += chunk
  })
  child.stdin.end(bytes)
  await once(child, 'close')
  return { seconds: size / 16_000, complaints }
}

describe.skipIf(!programs)('a real Icecast', () => {
  test.each([
    ['mp3', 1000, 'audio/mpeg', 'mp3'],
    ['aac', 1000, 'audio/aac', 'aac'],
    // Here Icecast is given a page a second, and lets newcomers in between two of them.
    ['vorbis', 2000, 'audio/ogg', 'ogg'],
    ['opus', 2000, 'audio/ogg', 'ogg'],
  ] as const)('%s: heard within %i ms, whole, by several over one upstream', async (codec, ms, type, format) => {
    const first = await listenFirst(codec, ms)
    expect(first.state).toMatchObject({ status: 200, type })
    expect(first.state.firstMs).toBeLessThan(ms)
    const others = [1, 2, 3].map(() => listen(codec))
    await until(() => others.every((one) => one.size() > 0))
    // Real sound at the pace of real sound: some more seconds of it.
    const before = first.size()
    await until(() => first.size() > before + 30_000, 40_000)
    expect(await icecast.listeners(codec)).toBe(1)
    expect(relay.listeners(MOUNTS.indexOf(codec) + 1)).toBe(4)
    for (const one of [first, others[0] as typeof first]) {
      const { seconds, complaints } = await decode(one.bytes(), format)
      expect(complaints.replace(/.*Estimating duration from bitrate.*\n/g, '')).toBe('')
      expect(seconds).toBeGreaterThan(2)
    }
  })

  test('titles are heard, and are in the sound of nobody', async () => {
    const one = listen('mp3')
    await until(() => one.size() > 0)
    await icecast.setTitle('mp3', "Röyksopp - It's what I want")
    await until(() => titles.includes("Röyksopp - It's what I want"), 20_000)
    expect(one.bytes().includes('StreamTitle')).toBe(false)
  })

  test('the last one gone, Icecast counts none a little later', async () => {
    const one = listen('mp3')
    await until(() => one.size() > 0)
    expect(await icecast.listeners('mp3')).toBe(1)
    one.close()
    await until(async () => (await icecast.listeners('mp3')) === 0, LINGER_MS + 5000)
  })

  test('a connection that breaks is mended without a byte more or less', async () => {
    const witness = hear(`${icecast.origin}/mp3`)
    const one = listen('mp3')
    await until(() => one.size() > 100_000, 20_000)
    for (let number = 0; number < 3; number++) {
      upstreams.at(-1)?.destroy()
      const before = one.size()
      await until(() => one.size() > before + 20_000, 20_000)
    }
    const told = one.size()
    await until(() => witness.size() > told + 40_000, 20_000)
    expect(witness.bytes().includes(one.bytes().subarray(0, told))).toBe(true)
  })

  test('a source that is killed and comes back is heard again in the same answer, without a flaw', async () => {
    const one = listen('mp3')
    await until(() => one.size() > 100_000, 20_000)
    await feeds.get('mp3')?.stop()
    feeds.set('mp3', await icecast.feed('mp3', 'mp3'))
    const before = one.size()
    await until(() => one.size() > before + 50_000, 20_000)
    expect(one.state.ended).toBe(false)
    const { complaints } = await decode(one.bytes(), 'mp3')
    // A frame may use what the one before it left over, which is gone with the old source.
    expect(complaints.replace(/.*(Estimating duration from bitrate|invalid new backstep).*\n/g, '')).toBe('')
  })

  test('a source that comes back in another format ends its listeners, who then hear it', async () => {
    const one = listen('mp3')
    await until(() => one.size() > 50_000, 20_000)
    await feeds.get('mp3')?.stop()
    feeds.set('mp3', await icecast.feed('mp3', 'mp3', 48_000))
    await until(() => one.state.ended, 20_000)
    const again = listen('mp3')
    await until(() => again.size() > 50_000, 20_000)
    const { seconds, complaints } = await decode(again.bytes(), 'mp3')
    expect(complaints.replace(/.*Estimating duration from bitrate.*\n/g, '')).toBe('')
    expect(seconds).toBeGreaterThan(2)
  })
})
