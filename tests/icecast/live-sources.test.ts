import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { isDeep } from '#tests/helpers/depth.ts'
import { createStreamer, until } from '#tests/helpers/liveSources.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import {
  darkiceConfig,
  ezstreamConfig,
  ffmpegTone,
  ices2Config,
  ices2LiveScript,
  liquidsoapScript,
  startClient,
  type Target,
  toneShare,
  writeTone,
} from '#tests/helpers/sourceClients.ts'

const programs = inject('icecast')
const clients = inject('sourceClients')
const ffmpeg = programs?.ffmpeg ?? ''
const MP3 = ['-c:a', 'libmp3lame', '-b:a', '128k', '-f', 'mp3']
const OPUS = ['-c:a', 'libopus', '-ar', '48000', '-b:a', '96k', '-content_type', 'audio/ogg', '-f', 'ogg']
const AAC = ['-c:a', 'aac', '-b:a', '96k', '-content_type', 'audio/aac', '-f', 'adts']
const FLAC = ['-c:a', 'flac', '-content_type', 'application/ogg', '-f', 'ogg']

let site: TestSite
let port: number
let dir: string

beforeAll(async () => {
  if (!programs) return
  site = await startSite()
  await site.app.listen({ host: '127.0.0.1', port: 0 })
  port = (site.app.server.address() as AddressInfo).port
  dir = mkdtempSync(join(tmpdir(), 'live-'))
})
afterAll(async () => {
  await site?.close()
  if (dir) rmSync(dir, { recursive: true })
})

/** Listens with ffmpeg until the stream contains the tone, and returns the codec. */
async function hear(hertz: number): Promise<string> {
  const url = `http://127.0.0.1:${port}/radio/1/stream`
  const output = ['-t', '9', '-f', 'f32le', '-ac', '1', '-ar', '8000', 'pipe:1']
  const child = spawn(ffmpeg, ['-v', 'info', '-i', url, ...output])
  let [log, heard] = ['', false]
  let rest = Buffer.alloc(0)
  child.stderr.on('data', (chunk) => {
    log += chunk
  })
  child.stdout.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    for (; rest.length >= 16_000; rest = rest.subarray(16_000)) {
      const samples = new Float32Array(rest.buffer.slice(rest.byteOffset, rest.byteOffset + 16_000))
      if (toneShare(samples, hertz) > 0.8) heard = true
    }
    if (heard) child.kill('SIGKILL')
  })
  await once(child, 'close')
  if (!heard) throw new Error(`The tone was not heard: ${log.slice(-1000)}`)
  return /Audio: (\w+)/.exec(log)?.[1] ?? ''
}

type Case = [
  name: string,
  program: string | undefined,
  args: (target: Target, hertz: number) => string[],
  codec: string,
  title?: { artist: string; title: string },
]
const mp3File = (hertz: number) =>
  writeTone(ffmpeg, join(dir, `${hertz}.mp3`), hertz, 30, ['artist=Ez', 'title=Stream'])
const oggFile = (hertz: number) => writeTone(ffmpeg, join(dir, `${hertz}.ogg`), hertz, 30, ['artist=Ices', 'title=Two'])

const rawFile = (hertz: number) => writeTone(ffmpeg, join(dir, `${hertz}.s16`), hertz, 60, [], ['-f', 's16le'])

const cases: Case[] = [
  [
    'ffmpeg with PUT',
    ffmpeg,
    (target, hertz) => ffmpegTone(hertz, target, ['-metadata', 'artist=Björk', '-metadata', 'title=Jóga', ...MP3]),
    'mp3',
    { artist: 'Björk', title: 'Jóga' },
  ],
  ['ffmpeg with SOURCE', ffmpeg, (target, hertz) => ffmpegTone(hertz, target, MP3, true), 'mp3'],
  ['ffmpeg with Opus', ffmpeg, (target, hertz) => ffmpegTone(hertz, target, OPUS), 'opus'],
  ['ffmpeg with AAC', ffmpeg, (target, hertz) => ffmpegTone(hertz, target, AAC), 'aac'],
  ['ffmpeg with FLAC', ffmpeg, (target, hertz) => ffmpegTone(hertz, target, FLAC), 'flac'],
  [
    'ezstream',
    clients.ezstream,
    (target, hertz) => ezstreamConfig(target, mp3File(hertz)),
    'mp3',
    { artist: 'Ez', title: 'Stream' },
  ],
  [
    'ices2',
    clients.ices2,
    (target, hertz) => ices2Config(target, oggFile(hertz)),
    'vorbis',
    { artist: 'Ices', title: 'Two' },
  ],
  [
    'ices2 with live input',
    clients.ices2 && 'bash',
    (target, hertz) => ices2LiveScript(target, ffmpeg, hertz),
    'vorbis',
  ],
  ['liquidsoap', clients.liquidsoap, liquidsoapScript, 'mp3'],
  [
    'curl',
    clients.curl,
    ({ mount, password }, hertz) => [
      ...['-sS', '-T', mp3File(hertz), '-u', `source:${password}`, '-H', 'Content-Type: audio/mpeg'],
      `http://127.0.0.1:${port}${mount}`,
    ],
    'mp3',
  ],
  // `env` sets the sound card, which is faster than real time.
  ['darkice', clients.darkice && 'env', (target, hertz) => darkiceConfig(target, rawFile(hertz)), 'mp3'],
]

describe.skipIf(!programs)('real programs go live unmodified', () => {
  for (const [index, [name, program, args, codec, title]] of (isDeep ? cases : cases.slice(0, 1)).entries()) {
    test.skipIf(!program)(name, async () => {
      const { live } = site.app.services
      const hertz = 500 + 100 * index
      const streamer = `dj${index}`
      await createStreamer(site, streamer)
      const target = { port, mount: '/live', password: `password-${streamer}`, dir }
      const client = startClient(program ?? '', args(target, hertz))
      try {
        await until(() => live.onAir(1)?.streamer.name === streamer, 45_000).catch((error) => {
          throw new Error(`${name} is not on air (exit code ${client.child.exitCode}): ${client.output()}`, {
            cause: error,
          })
        })
        // ices2 connects again when the site cannot read its stream.
        expect(client.output().match(/Connected to server/g) ?? ['once']).toHaveLength(1)
        expect(await hear(hertz)).toBe(codec)
        const source = () => live.sources().find((source) => source.streamer.name === streamer)
        expect(source()).toMatchObject({ state: 'on-air' })
        if (title) expect(source()?.title).toEqual(title)
        if (['mp3', 'opus', 'vorbis'].includes(codec)) await until(() => (source()?.level?.peak ?? -100) > -30)
      } finally {
        await client.stop()
        // Programs send faster than real time. Their remaining sound would make the next program wait.
        for (const { id } of live.sources()) live.disconnect(id)
      }
    })
  }

  test('ffmpeg, faster than real time, is gone soon after it was killed', async () => {
    const { live } = site.app.services
    await createStreamer(site, 'hasty')
    const target = { port, mount: '/live', password: 'password-hasty', dir }
    const client = startClient(
      ffmpeg,
      ffmpegTone(440, target, MP3).filter((option) => option !== '-re'),
    )
    await until(() => live.onAir(1)?.streamer.name === 'hasty', 45_000)
    // It fills all buffers within this time.
    await sleep(3000)
    expect(live.sources()).toHaveLength(1)
    await client.stop()
    await until(() => live.sources().length === 0, 10_000)
  })
})
