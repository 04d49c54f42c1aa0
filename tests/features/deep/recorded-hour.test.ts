import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { broadcast } from '#db/schema/index.ts'
import { createMpegParser } from '#server/features/radio/input/frames/mpeg.ts'
import { recordingPath } from '#tests/helpers/broadcasts.ts'
import { createDeferred } from '#tests/helpers/deferred.ts'
import { createStreamer } from '#tests/helpers/liveSources.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const HOUR = 3600
/** seconds of each source */
const PART = HOUR / 4
const FRAME = 1152 / 44_100
/** Sound in flight: the second that a source may be ahead. */
const LEAD_FRAMES = Math.ceil(1 / FRAME) + 10

let site: TestSite
beforeAll(async () => {
  site = await startSite({ RECORDINGS: '1GB' })
  mkdirSync(recordingPath(site.dataDir, ''), { recursive: true })
})
afterEach(() => vi.useRealTimers())
afterAll(() => site.close())

/** A recording stops when 8 MiB of it wait for the disk. */
const MAX_UNWRITTEN_BYTES = 4 * 1024 * 1024

function recordedBytes(dataDir: string): number {
  const dir = recordingPath(dataDir, '')
  return readdirSync(dir).reduce((sum, name) => sum + statSync(join(dir, name)).size, 0)
}

/** Encodes an hour of noise, in which no frame is like another one. */
function encodeHour(): Buffer[] {
  const noise = `anoisesrc=duration=${HOUR}:sample_rate=44100:amplitude=0.3:seed=1`
  const encoder = ['-c:a', 'libmp3lame', '-b:a', '128k', '-compression_level', '9', '-write_xing', '0']
  const { stdout, stderr } = spawnSync(
    'ffmpeg',
    ['-v', 'error', '-f', 'lavfi', '-i', noise, ...encoder, '-f', 'mp3', '-'],
    {
      maxBuffer: 1e9,
    },
  )
  if (stdout.length === 0) throw new Error(`ffmpeg made no sound: ${stderr}`)
  return createMpegParser()
    .push(stdout)
    .map(({ bytes }) => bytes)
}

/** Connects a source whose program sends all its sound at once, in chunks that do not end with frames. */
async function connect(name: string, userId: string, frames: Buffer[]) {
  const { live } = site.app.services
  const bytes = Buffer.concat(frames)
  const { promise: stopped, resolve: stop } = createDeferred()
  async function* body() {
    for (let at = 0; at < bytes.length; at += 5000) yield bytes.subarray(at, at + 5000)
    // A source that has sent everything stays connected until the test ends it.
    await stopped
  }
  const request = { streamer: { userId, name }, mount: '/live', isTest: false, client: '', contentType: 'audio/mpeg' }
  const closed = live
    .accept(
      request,
      new AbortController(),
    )(body())
    .catch(() => {})
  const find = () => live.sources().find((source) => source.streamer.name === name && source.state !== 'testing')
  await expect.poll(find).toBeDefined()
  return { id: find()?.id ?? '', stop, closed }
}

/** @returns the number of the first frame that differs; null if all are the same */
function firstDifference(found: Buffer[], expected: Buffer[]): number | null {
  const at = expected.findIndex((bytes, index) => !found[index]?.equals(bytes))
  return at < 0 && found.length !== expected.length ? expected.length : at < 0 ? null : at
}

test('an hour with three changes of source is recorded frame by frame, as listeners heard it', async () => {
  const hour = encodeHour()
  expect(hour.length * FRAME).toBeCloseTo(HOUR, 0)
  const count = Math.floor(PART / FRAME)
  const [first = [], again = [], second = [], third = []] = [0, 1, 2, 3].map((part) =>
    hour.slice(part * count, (part + 1) * count),
  )
  const ids = new Map<string, string>()
  for (const name of ['ann', 'bob', 'eve']) ids.set(name, await createStreamer(site, name))
  const userOf = (name: string) => ids.get(name) ?? ''
  const { live, db } = site.app.services

  // Only the pace of sources and the grace for a reconnection follow this clock. Files and the database take real time.
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  const heard: Buffer[] = []
  let heardBytes = 0
  live.sound.observe((change) => {
    if (change.kind !== 'frames') return
    for (const { bytes } of change.frames) {
      heard.push(bytes)
      heardBytes += bytes.length
    }
  })
  /** Lets time pass until so many frames were heard. Waits for the disk, which seems slow while an hour takes seconds. */
  const listenUntil = async (frames: number) => {
    for (const end = Date.now() + 600_000; heard.length < frames; ) {
      if (Date.now() > end) throw new Error(`Heard ${heard.length} of ${frames} frames`)
      if (heardBytes - recordedBytes(site.dataDir) < MAX_UNWRITTEN_BYTES) await vi.advanceTimersByTimeAsync(500)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  const end = async ({ stop, closed }: Awaited<ReturnType<typeof connect>>) => {
    let isClosed = false
    stop()
    void closed.then(() => {
      isClosed = true
    })
    while (!isClosed) {
      await vi.advanceTimersByTimeAsync(50)
    }
  }

  const ann = await connect('ann', userOf('ann'), first)
  await listenUntil(first.length)
  // 1. The same streamer connects again: the broadcast goes on.
  await end(ann)
  const annAgain = await connect('ann', userOf('ann'), again)
  await listenUntil(first.length + again.length - LEAD_FRAMES)
  // 2. A streamer on standby takes over when the source ends.
  const bob = await connect('bob', userOf('bob'), second)
  await listenUntil(first.length + again.length)
  await end(annAgain)
  const beforeBob = heard.length
  await listenUntil(beforeBob + second.length - 4 * LEAD_FRAMES)
  // 3. An admin puts a streamer on air while another one sends.
  const eve = await connect('eve', userOf('eve'), third)
  live.takeOver(eve.id)
  const beforeEve = heard.length
  bob.stop()
  await listenUntil(beforeEve + third.length - LEAD_FRAMES)
  await vi.advanceTimersByTimeAsync(5000)
  await end(eve)
  await vi.advanceTimersByTimeAsync(11_000)
  vi.useRealTimers()

  // What went in and was on air is heard once, in order: of the others, only what they sent on standby is missing.
  const bobHeard = heard.slice(beforeBob, beforeEve)
  const eveHeard = heard.slice(beforeEve)
  const startOf = (frames: Buffer[], source: Buffer[]) => source.findIndex((bytes) => bytes.equals(frames[0] as Buffer))
  const [bobStart, eveStart] = [startOf(bobHeard, second), startOf(eveHeard, third)]
  expect(firstDifference(heard.slice(0, beforeBob), [...first, ...again])).toBeNull()
  expect(firstDifference(bobHeard, second.slice(bobStart, bobStart + bobHeard.length))).toBeNull()
  expect(firstDifference(eveHeard, third.slice(eveStart))).toBeNull()
  expect(bobStart).toBeLessThan(3 * LEAD_FRAMES)
  expect(eveStart).toBeLessThan(3 * LEAD_FRAMES)
  expect(heard.length * FRAME).toBeGreaterThan(HOUR - 20)

  // What was heard is recorded, in a file of each broadcast.
  for (const [name, expected] of [
    ['ann', heard.slice(0, beforeBob)],
    ['bob', bobHeard],
    ['eve', eveHeard],
  ] as const) {
    const readRow = async () =>
      (
        await db
          .select()
          .from(broadcast)
          .where(eq(broadcast.userId, userOf(name)))
      )[0]
    await expect.poll(readRow).toMatchObject({ endedAt: expect.any(Date) })
    const size = expected.reduce((sum, bytes) => sum + bytes.length, 0)
    await expect.poll(async () => [name, (await readRow())?.bytes]).toEqual([name, size])
    const row = await readRow()
    expect(row).toMatchObject({ file: `${row?.id}-1.mp3` })
    const recorded = createMpegParser().push(readFileSync(recordingPath(site.dataDir, row?.file ?? '')))
    expect(
      firstDifference(
        recorded.map(({ bytes }) => bytes),
        [...expected],
      ),
    ).toBeNull()
    expect(row?.seconds).toBeCloseTo(expected.length * FRAME, 3)
  }
})
