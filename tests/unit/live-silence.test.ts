import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createAudioParser } from '#server/features/radio/input/frames/audioParser.ts'
import { createMpegParser } from '#server/features/radio/input/frames/mpeg.ts'
import { createLevelMeter } from '#server/features/radio/input/levelMeter.ts'
import { createLevelHistory, type Level } from '#server/features/radio/input/silence.ts'
import { DEMO_TRACK } from '#server/features/radio/library/library.ts'
import { createAirings } from '#server/features/radio/mix/airing.ts'
import { createMixer } from '#server/features/radio/mix/mixer.ts'
import { createSound } from '#server/features/radio/mix/sound.ts'
import type { LiveSource } from '#server/features/radio/mix/types.ts'
import { adtsFrame, oggPage } from '#tests/helpers/audioFrames.ts'
import { silence } from '#tests/helpers/endlessSound.ts'
import { frames, now, show } from '#tests/helpers/liveSite.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-25T20:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A source on air whose levels the test sets, and what observers of its broadcast get. */
async function createMeasured() {
  const events: string[] = []
  const count = (name: string) => (_broadcast: unknown, value?: unknown) =>
    void events.push(value === undefined ? name : `${name} ${Array.isArray(value) ? value.length : value}`)
  const observer = {
    ...{ onStart: count('start'), onFrames: count('frames'), onInterrupt: count('interrupt') },
    ...{ onResume: count('resume'), onEnd: count('end') },
  }
  const rows = {
    ...{ insert: async () => 1, refresh: async () => true, end: async () => {}, listOpen: async () => [] },
    ...{ force: async () => {}, listTracks: async () => [] },
  }
  const deps = {
    stationId: 1,
    rows,
    observers: new Set([observer]),
    onChange: () => {},
    onFault: () => {},
    now,
  }
  const sound = createSound(now)
  const mixer = createMixer({ maxSources: 8, sound, startAiring: createAirings(deps).start, awaited: () => [] })
  const source: LiveSource = {
    ...{ id: '1', mount: '/live', isTest: false, streamer: { userId: 'ann', name: 'ann' }, client: '' },
    ...{ connectedAt: now(), type: 'audio/mpeg', format: 'f', header: [], title: null, show: null, upcoming: null },
    ...{ isForced: false, isSilent: false, kilobitsPerSecond: () => 0, level: () => null, end: () => {} },
  }
  mixer.connect(source)
  mixer.begin(source)
  await vi.advanceTimersByTimeAsync(0)
  const history = createLevelHistory((isSilent) => mixer.setSilent(source, isSilent))
  const play = (peak: number, seconds: number) => {
    history.push({ peak, rms: peak - 3 }, seconds)
    mixer.push(source, createMpegParser().push(frames(0.1)))
  }
  return { events, sound, mixer, source, history, play }
}

test('a source that connects while the schedule is read keeps its show', async () => {
  const { mixer, source } = await createMeasured()
  source.show = show(1)
  mixer.setShows(new Map([['bob', show(2)]]))
  expect(source.show).toMatchObject({ id: 1 })
  mixer.setShows(new Map([['ann', null]]))
  expect(source.show).toBeNull()
})

test('silence for 30 seconds lets the station play until there is sound', async () => {
  const { events, sound, mixer, source, history, play } = await createMeasured()
  for (let second = 0; second < 29; second++) play(-61, 1)
  expect(mixer.stateOf(source)).toBe('on-air')
  play(-100, 1)
  expect([mixer.stateOf(source), sound.state()]).toEqual(['silent', null])
  const heard = events.length
  play(-100, 1)
  play(-59, 0.25)
  expect([mixer.stateOf(source), sound.state()?.format]).toEqual(['on-air', 'MPEG-1 layer 3, 44100 Hz, 2 ch'])
  expect(history.lastSecond()?.peak).toBe(-59)
  // The silence is not recorded.
  expect([events.at(heard - 1), ...events.slice(heard)]).toEqual(['interrupt', 'resume', 'frames 4'])
  mixer.remove(source, false)
  expect(events.at(-1)).toBe('end false')
})

test('tells observers at the end of a broadcast that it was only silence', async () => {
  const { events, mixer, source, play } = await createMeasured()
  for (let second = 0; second < 60; second++) play(-100, 1)
  mixer.remove(source, false)
  expect(events.at(-1)).toBe('end true')
})

/** A FLAC stream in Ogg whose pages of a second have packets of a size each. */
function flac(sizes: number[]): Buffer {
  const first = Buffer.alloc(51)
  first.write('\x7fFLAC\x01\0\0\x01fLaC', 'latin1')
  first.writeUInt32BE((44_100 << 12) | (1 << 9), 27)
  const header = [oggPage({ flags: 2, packets: [first] }), oggPage({ packets: [Buffer.from([0x84, 0, 0, 0])] })]
  const pages = sizes.map((size, index) =>
    oggPage({ granule: BigInt((index + 1) * 44_100), packets: Array<Buffer>(11).fill(Buffer.alloc(size, index)) }),
  )
  return Buffer.concat([...header, ...pages])
}

// The bytes of ffmpeg's encoders.
const silentAac = Buffer.from('fff1508001bffc211004608c1c', 'hex')
test.each<[name: string, type: string, silent: Buffer, loud: Buffer]>([
  [
    'AAC',
    'audio/aac',
    Buffer.concat(Array(100).fill(silentAac)),
    Buffer.concat([1, 2, 3].map((mark) => adtsFrame(mark))),
  ],
  ['FLAC', 'audio/ogg', flac([14, 14, 14]), flac([1300, 1300, 1300])],
])('digital silence of %s is recognised without a decoder, and has a level', async (_name, type, silent, loud) => {
  vi.useRealTimers()
  const levels: (Level | null)[] = []
  const isSilent: boolean[] = []
  const history = createLevelHistory((silent) => isSilent.push(silent))
  const meter = createLevelMeter(
    (level, seconds) => {
      levels.push(level)
      // The slice stands for half a minute.
      history.push(level, seconds * 30)
    },
    (error) => expect.unreachable(String(error)),
  )
  for (const bytes of [silent, loud, silent]) {
    const count = levels.length
    for (let times = 0; times < 12 && levels.length === count; times++) {
      meter.push(createAudioParser(type)?.push(bytes) ?? [])
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  }
  expect(levels).toEqual([{ peak: -100, rms: -100 }, null, { peak: -100, rms: -100 }])
  expect(isSilent).toEqual([true, false, true])
  expect(history.lastSecond()).toEqual({ peak: -100, rms: -100 })
  meter.close()
})

test('sound that claims to have no duration does not fill the memory', async () => {
  const page = { bytes: Buffer.alloc(64 * 1024), seconds: 0, format: 'FLAC, 44100 Hz, 2 ch' }
  const sound = createSound(now)
  const levels: (Level | null)[] = []
  const meter = createLevelMeter(
    (level) => levels.push(level),
    (error) => expect.unreachable(String(error)),
  )
  sound.start(page.format)
  for (let count = 0; count < 200; count++) {
    sound.push([page])
    meter.push([page])
  }
  let keptBytes = 0
  sound.observe((change) => {
    if (change.kind === 'frames') keptBytes += change.frames.reduce((sum, { bytes }) => sum + bytes.length, 0)
  })
  expect(keptBytes).toBe(4 * 1024 * 1024)
  // The meter takes what waits.
  await vi.advanceTimersByTimeAsync(0)
  expect(levels.length).toBeGreaterThan(0)
  meter.close()
})

test('levels of MP3 are measured', async () => {
  vi.useRealTimers()
  const levels: Level[] = []
  const faults: unknown[] = []
  const meter = createLevelMeter(
    (level) => level && levels.push(level),
    (error) => faults.push(error),
  )
  const measure = async (bytes: Buffer) => {
    const count = levels.length
    meter.push(createMpegParser().push(bytes))
    await expect.poll(() => levels.length).toBeGreaterThan(count)
    return levels.at(-1)
  }
  const demo = readFileSync(DEMO_TRACK)
  expect((await measure(demo.subarray(200_000, 216_000)))?.peak).toBeGreaterThan(-40)
  meter.close()
  const silent = createLevelMeter(
    (level) => level && levels.push(level),
    (error) => faults.push(error),
  )
  silent.push(createMpegParser().push(silence(2)))
  await expect.poll(() => levels.at(-1)?.peak).toBe(-100)
  expect(faults).toEqual([])
  silent.close()
})
