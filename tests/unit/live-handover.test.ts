import { afterEach, expect, test, vi } from 'vitest'
import type { AudioFrame } from '#server/features/radio/input/frames/audioParser.ts'
import { createMpegParser } from '#server/features/radio/input/frames/mpeg.ts'
import { createRelay } from '#server/features/radio/output/relay/relay.ts'
import { musicStation, openSound, openStation } from '#tests/helpers/embeddedStation.ts'
import { framesOf, marksIn } from '#tests/helpers/mp3.ts'

const SECONDS = 1152 / 44_100
const FORMAT = 'MPEG-1 layer 3, 44100 Hz, 2 ch'
const TRACK_FRAMES = [10, 12, 9].map((seconds) => Math.round(seconds / SECONDS))
const TOTAL = TRACK_FRAMES.reduce((sum, count) => sum + count, 0)
const LIVE_TRACK = 5

const parse = (options: Parameters<typeof framesOf>[0]) => createMpegParser().push(Buffer.concat(framesOf(options)))
const numberIn = ({ track, frame }: { track: number; frame: number }) =>
  TRACK_FRAMES.slice(0, track - 1).reduce((sum, count) => sum + count, 0) + frame

const stations: { remove(): void }[] = []
afterEach(() => {
  for (const station of stations.splice(0)) station.remove()
})

async function openMusic() {
  const station = musicStation()
  stations.push(station)
  const end = new AbortController()
  const body = await openSound(station.source, end.signal)
  const read = async () => (await body.next()).value as Buffer
  return { ...station, read, close: () => end.abort() }
}

test('music and sources alternate without a missing or repeated frame of music', async () => {
  const { sound, read, clock, close } = await openMusic()
  const live = parse({ seconds: 30, track: LIVE_TRACK })
  const heard = marksIn(await read())
  let sent = 0
  for (let handover = 0; handover < 25; handover++) {
    sound.start(FORMAT)
    for (let step = 0; step < 3; step++) {
      const piece = live.slice(sent, sent + 10)
      sent += piece.length
      clock.ms += 10 * SECONDS * 1000
      sound.push(piece)
      heard.push(...marksIn(await read()))
    }
    if (handover % 2) sound.interrupt()
    else sound.stop()
    heard.push(...marksIn(await read()), ...marksIn(await read()))
  }
  close()
  const liveFrames = heard.filter(({ track }) => track === LIVE_TRACK)
  expect(liveFrames.map(({ frame }) => frame)).toEqual(Array.from({ length: sent }, (_, index) => index))
  // The music continues where the clock is: each frame of a source replaces one frame of music.
  let position = numberIn(heard[0] ?? { track: 1, frame: 0 })
  const gaps = heard.map((mark) => {
    const gap = mark.track === LIVE_TRACK ? 0 : ((numberIn(mark) - position + TOTAL + TOTAL / 2) % TOTAL) - TOTAL / 2
    position = (mark.track === LIVE_TRACK ? position : numberIn(mark)) + 1
    return gap
  })
  expect(Math.max(...gaps.map(Math.abs))).toBeLessThanOrEqual(1)
})

test('a new stream begins with the last seven seconds of the source on air', async () => {
  const { sound, source, read, close } = await openMusic()
  await read()
  sound.start(FORMAT)
  sound.push(parse({ seconds: 10, track: LIVE_TRACK }))
  const { value } = await (await openSound(source, AbortSignal.timeout(5000))).next()
  const marks = marksIn(value as Buffer)
  expect(marks.length).toBe(Math.ceil(7 / SECONDS))
  expect(marks.at(-1)?.frame).toBe(framesOf({ seconds: 10 }).length - 1)
  close()
})

test('sound from before a connection to another process goes to new streams only', async () => {
  const { sound, source, read, close } = await openMusic()
  const live = parse({ seconds: 2, track: LIVE_TRACK })
  const framesIn = (bytes: Buffer) => marksIn(bytes).map(({ frame }) => frame)
  await read()
  sound.start(FORMAT)
  sound.push(live.slice(0, 2))
  expect(framesIn(await read())).toEqual([0, 1])
  sound.start(FORMAT)
  sound.apply({ kind: 'frames', frames: live.slice(0, 4), isPast: true })
  sound.push(live.slice(4, 6))
  expect(framesIn(await read())).toEqual([4, 5])
  const { value } = await (await openSound(source, AbortSignal.timeout(5000))).next()
  expect(framesIn(value as Buffer)).toEqual([0, 1, 2, 3, 4, 5])
  close()
})

test('music fills in for a source that is late, and makes room when it sends again', async () => {
  const { sound, read, clock, close } = await openMusic()
  const live = parse({ seconds: 2, track: LIVE_TRACK })
  await read()
  sound.start(FORMAT)
  sound.push(live.slice(0, 10))
  await read()
  clock.ms += 2000
  const filled = marksIn(await read())
  expect(filled[0]?.track).not.toBe(LIVE_TRACK)
  expect(filled.length * SECONDS).toBeCloseTo(2 - 10 * SECONDS, 0)
  sound.push(live.slice(10, 20))
  let next = marksIn(await read())
  if (next[0]?.track !== LIVE_TRACK) next = marksIn(await read())
  expect(next.map(({ track, frame }) => `${track} ${frame}`)[0]).toBe(`${LIVE_TRACK} 10`)
  close()
})

test('a source of another format changes the type, and the music waits until it is surely gone', async () => {
  const { sound, source, read, clock, close } = await openMusic()
  await read()
  sound.start('AAC')
  sound.push([{ bytes: Buffer.from('frame'), seconds: 0.02, format: 'AAC' }])
  expect([String(await read()), source.streamType?.()]).toEqual(['frame', 'audio/aac'])
  sound.interrupt()
  clock.ms += 8500
  const next = read()
  expect(await Promise.race([next, new Promise((resolve) => setTimeout(resolve, 400, 'quiet'))])).toBe('quiet')
  clock.ms += 600
  expect(marksIn(await next).length).toBeGreaterThan(300)
  close()
})

test('all streams change to the music in the same moment, whenever they began', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const heard: number[] = []
  const note = (bytes: Buffer) => void heard.push(marksIn(bytes).length)
  const end = new AbortController()
  const { sound, source, read, clock, close } = await openMusic()
  try {
    await read()
    const pass = async (ms: number) => {
      for (let passed = 0; passed < ms; passed += 10) {
        clock.ms += 10
        await vi.advanceTimersByTimeAsync(10)
      }
    }
    sound.start('AAC')
    sound.push([{ bytes: Buffer.from('frame'), seconds: 0.02, format: 'AAC' }])
    await read()
    void read().then(note)
    await pass(130)
    const later = await openSound(source, end.signal)
    await later.next()
    void later.next().then(({ value }) => note(value as Buffer))
    await pass(9000 - 130)
  } finally {
    // No timer of before fires any more.
    vi.useRealTimers()
  }
  await expect.poll(() => heard.filter((frames) => frames > 200)).toHaveLength(2)
  end.abort()
  close()
})

test('a source on air does not wait for a library that hangs, and its sound is not kept for an ended stream', async () => {
  const station = openStation({ ready: () => new Promise(() => {}) })
  stations.push(station)
  const { sound, source, clock } = station
  const live = parse({ seconds: 2, track: LIVE_TRACK })
  const { observe } = sound
  let readers = 0
  vi.spyOn(sound, 'observe').mockImplementation((observer) => {
    readers++
    const stop = observe(observer)
    return () => {
      readers--
      stop()
    }
  })
  sound.start(FORMAT)
  sound.push(live.slice(0, 10))
  const end = new AbortController()
  const body = await openSound(source, end.signal)
  const read = async () => marksIn((await body.next()).value as Buffer).map(({ frame }) => frame)
  expect((await read()).at(-1)).toBe(9)
  const next = read()
  sound.push(live.slice(10, 12))
  expect(await next).toEqual([10, 11])
  sound.stop()
  clock.ms += 10_000
  void body.next()
  await new Promise((resolve) => setImmediate(resolve))
  expect(readers).toBe(1)
  end.abort()
  expect(readers).toBe(0)
})

test('names the show on air while the library hangs', async () => {
  const playing = { streamer: 'DJ', title: { artist: 'A', title: 'B' }, since: new Date(), history: [] }
  const station = openStation({ ready: () => new Promise(() => {}), playing })
  stations.push(station)
  station.sound.start(FORMAT)
  const named = station.source.nowPlaying(1).then(({ live, song }) => ({ streamer: live.streamer, title: song?.title }))
  const timeout = new Promise((resolve) => setTimeout(resolve, 2000, 'hangs'))
  expect(await Promise.race([named, timeout])).toEqual({ streamer: 'DJ', title: 'B' })
})

test('the relay ends its listeners once for each change of the format', async () => {
  const frames = (sampleRate: 44100 | 48000) => parse({ seconds: 8, sampleRate })
  let step: (frames: AudioFrame[]) => void = () => {}
  async function* play() {
    for (;;) yield await new Promise<AudioFrame[]>((resolve) => (step = resolve))
  }
  const relay = createRelay({
    source: { openStream: async () => play() },
    maxListeners: 10,
    log: { info: () => {}, warn: () => {} },
    onTitle: () => {},
  })
  let ends = 0
  const listener = { begin: () => {}, write: () => {}, bufferedBytes: () => 0, end: () => void ends++, drop: () => {} }
  const joined = relay.listen(1, listener)
  await new Promise((resolve) => setTimeout(resolve, 20))
  step(frames(44100))
  expect((await joined).type).toBe('audio/mpeg')
  await new Promise((resolve) => setImmediate(resolve))
  step(frames(48000))
  await expect.poll(() => ends).toBe(1)
  await relay.close()
  expect(ends).toBe(1)
})
