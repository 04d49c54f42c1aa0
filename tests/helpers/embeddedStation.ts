import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createEmbeddedSource } from '#server/features/radio/library/embeddedSource.ts'
import { DEMO_TRACK } from '#server/features/radio/library/library.ts'
import type { PlannedTrack } from '#server/features/radio/library/timeline.ts'
import { createSound } from '#server/features/radio/mix/sound.ts'
import type { LivePlaying } from '#server/features/radio/mix/types.ts'
import type { RadioSource } from '#server/features/radio/types.ts'
import { mp3 } from './mp3.ts'

/** Opens an embedded station on a temporary folder. Only the test and `sleep` advance the clock. */
export function openStation(
  options: {
    time?: string
    demo?: string
    dir?: string
    planned?: PlannedTrack[]
    ready?: () => Promise<void>
    playing?: LivePlaying
  } = {},
) {
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), 'station-'))
  const clock = { ms: Date.parse(options.time ?? '2026-11-21T12:00:00.000Z') }
  const planned = options.planned ?? []
  const warnings: { files: string[]; [name: string]: unknown }[] = []
  const faults: unknown[] = []
  const sound = createSound(() => new Date(clock.ms))
  const source = createEmbeddedSource({
    station: { name: 'Radio', description: 'The music of this site' },
    dir,
    planned: { current: () => planned, ready: options.ready ?? (async () => {}) },
    demo: { path: options.demo ?? DEMO_TRACK, artist: 'DTP' },
    now: () => new Date(clock.ms),
    live: { sound, playing: () => options.playing ?? null, onChange: () => () => {} },
    log: {
      warn: (told: unknown) => warnings.push(told as (typeof warnings)[number]),
      error: (told: unknown) => faults.push(told),
    } as Parameters<typeof createEmbeddedSource>[0]['log'],
    sleep: async (ms, signal) => {
      signal.throwIfAborted()
      clock.ms += ms
      // lets the station read files during the sleep
      await new Promise((resolve) => setImmediate(resolve))
    },
  })

  /** listens for `seconds`, measured by the station's clock */
  async function listen(seconds: number): Promise<Buffer[]> {
    const end = new AbortController()
    const body = await openSound(source, end.signal)
    const until = clock.ms + seconds * 1000
    const batches: Buffer[] = []
    for await (const batch of body) {
      batches.push(batch)
      if (clock.ms >= until) end.abort()
    }
    return batches
  }

  return {
    source,
    sound,
    dir,
    clock,
    warnings,
    faults,
    listen,
    remove: () => rmSync(dir, { recursive: true, force: true }),
  }
}

/** Opens the stream of a station as bytes. */
export async function openSound(
  source: Pick<RadioSource, 'openStream'>,
  signal: AbortSignal,
): Promise<AsyncGenerator<Buffer>> {
  const pieces = await source.openStream(1, signal)
  return (async function* () {
    for await (const frames of pieces) yield Buffer.concat(frames.map(({ bytes }) => bytes))
  })()
}

/** Opens a station with three tracks of ten, twelve and nine seconds; the second is in a subfolder. */
export function musicStation() {
  const opening = openStation()
  put(opening.dir, 'a.mp3', mp3({ seconds: 10, track: 1, header: true, tags: { title: 'First', artist: 'One' } }))
  put(opening.dir, 'b/second song.mp3', mp3({ seconds: 12, track: 2 }))
  put(opening.dir, 'c.mp3', mp3({ seconds: 9, track: 3, tags: { title: 'Third', album: 'Records' } }))
  return opening
}

/** Writes a file to a folder and returns the file's path. */
export function put(dir: string, name: string, bytes: Buffer | string): string {
  const path = join(dir, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, bytes)
  return path
}
