import { readdirSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { createEmbeddedSource } from '#server/features/radio/library/embeddedSource.ts'
import { DEMO_TRACK } from '#server/features/radio/library/library.ts'
import { defaultSite } from '#src/contract/site.ts'
import { musicStation as openMusic, openSound, openStation, put } from '#tests/helpers/embeddedStation.ts'
import { automaticStation } from '#tests/helpers/liveStation.ts'
import { marksIn, mp3 } from '#tests/helpers/mp3.ts'

const FRAME_SECONDS = 1152 / 44_100
const framesIn = (seconds: number) => Math.round(seconds / FRAME_SECONDS)
const TRACK_FRAMES = [framesIn(10), framesIn(12), framesIn(9)]
const TOTAL = TRACK_FRAMES.reduce((sum, count) => sum + count, 0)

const opened: { remove(): void }[] = []
afterEach(() => {
  for (const station of opened.splice(0)) station.remove()
})

function kept<T extends { remove(): void }>(opening: T): T {
  opened.push(opening)
  return opening
}
const station = (options?: Parameters<typeof openStation>[0]) => kept(openStation(options))
const musicStation = () => kept(openMusic())

/** Returns the position of a frame within one loop of the three tracks. */
const numberIn = ({ track, frame }: { track: number; frame: number }) =>
  TRACK_FRAMES.slice(0, track - 1).reduce((sum, count) => sum + count, 0) + frame

/** Returns the set of distances between consecutive frames: {1} if no frame is missing, repeated or out of order. */
const steps = (marks: { track: number; frame: number }[]) =>
  new Set(marks.slice(1).map((mark, index) => (numberIn(mark) - numberIn(marks[index] ?? mark) + TOTAL) % TOTAL))

describe('stream', () => {
  test('sends seven seconds at once, then keeps real time, in whole frames across all tracks', async () => {
    const { listen } = musicStation()
    const batches = await listen(70)
    expect(marksIn(batches[0] ?? Buffer.alloc(0)).length).toBeCloseTo(framesIn(7), -1)
    const marks = batches.flatMap(marksIn)
    expect(steps(marks)).toEqual(new Set([1]))
    expect(new Set(marks.map(({ track }) => track))).toEqual(new Set([1, 2, 3]))
    expect(Math.abs(marks.length - framesIn(77))).toBeLessThan(20)
    // each later batch contains a quarter of a second of sound
    for (const batch of batches.slice(1)) expect(Math.abs(batch.length - 4000)).toBeLessThan(500)
  })

  test('has the type of what is on air', () => {
    const { source, sound } = musicStation()
    const types = [source.streamType?.()]
    for (const format of ['Opus, 48000 Hz, 2 ch', 'AAC 0/1, 44100 Hz, channels 2', 'MPEG-1 layer 3, 48000 Hz, 2 ch']) {
      sound.start(format)
      types.push(source.streamType?.())
    }
    sound.start('AAC 0/1, 44100 Hz, channels 2')
    sound.stop()
    types.push(source.streamType?.())
    expect(types).toEqual(['audio/mpeg', 'audio/ogg', 'audio/aac', 'audio/mpeg', 'audio/mpeg'])
  })

  test('continues by the clock after a restart and in another process', async () => {
    const first = musicStation()
    const second = station({ dir: first.dir })
    const before = marksIn(Buffer.concat(await first.listen(20)))
    second.clock.ms = first.clock.ms
    const [burst = Buffer.alloc(0)] = await second.listen(0)
    const end = before.at(-1) ?? { track: 0, frame: 0 }
    const next = marksIn(burst).at(-1) ?? { track: 0, frame: 0 }
    expect(Math.abs(numberIn(next) - numberIn(end))).toBeLessThanOrEqual(1)
    expect(await first.source.nowPlaying(1)).toEqual(await second.source.nowPlaying(1))
  })

  test('catches up after a short suspend, and jumps to the clock after a long one', async () => {
    const { source, clock } = musicStation()
    const end = new AbortController()
    const body = await openSound(source, end.signal)
    const stream = body[Symbol.asyncIterator]()
    const next = async () => marksIn((await stream.next()).value)
    const before = await next()
    clock.ms += 10_000
    const late = await next()
    expect(late.length).toBeGreaterThan(framesIn(10))
    expect(steps([...before, ...late])).toEqual(new Set([1]))
    clock.ms += 3_600_000
    const woken = await next()
    expect(woken.length).toBeLessThan(framesIn(8))
    const { song } = await source.nowPlaying(1)
    expect(['First', 'second song', 'Third'][(woken.at(-1)?.track ?? 0) - 1]).toBe(song?.title)
    clock.ms -= 7_200_000
    expect((await next()).length).toBeLessThan(framesIn(8))
    end.abort()
    expect((await stream.next()).done).toBe(true)
  })

  test('ends with the signal, also during a wait, and closes all files', async () => {
    const { dir } = musicStation()
    const log = { warn() {}, error() {} } as never
    const source = createEmbeddedSource({
      station: defaultSite.radio,
      dir,
      demo: { path: DEMO_TRACK, artist: '' },
      now: () => new Date(),
      log,
      live: automaticStation,
    })
    await source.nowPlaying(1)
    const files = openFiles(dir)
    const end = new AbortController()
    const stream = await openSound(source, end.signal)
    await stream.next()
    const waiting = stream.next()
    setImmediate(() => end.abort())
    expect((await waiting).done).toBe(true)
    expect(openFiles(dir)).toBe(files)

    const others = await openSound(source, new AbortController().signal)
    await others.next()
    const held = others.next()
    await source.close()
    expect((await held).done).toBe(true)
    expect(openFiles(dir)).toBe(files)
  })

  test('plays the next track when a file disappears before or during playback', async () => {
    const { dir, source, clock, listen } = musicStation()
    const playing = await source.nowPlaying(1)
    clock.ms += (playing.duration - playing.elapsed + 1) * 1000
    // removes all files except the current track
    const { song } = await source.nowPlaying(1)
    const files = { First: 'a.mp3', 'second song': 'b/second song.mp3', Third: 'c.mp3' }
    for (const [title, name] of Object.entries(files)) if (title !== song?.title) rmSync(join(dir, name))
    const kept = Object.keys(files).indexOf(song?.title ?? '') + 1
    const marks = (await listen(40)).slice(30).flatMap(marksIn)
    expect(new Set(marks.map(({ track }) => track))).toEqual(new Set([kept]))
    expect((await source.nowPlaying(1)).song).toEqual(song)
  })

  test('continues with the demo track when all music is removed', async () => {
    const { dir, source, listen, clock } = musicStation()
    await source.nowPlaying(1)
    for (const name of readdirSync(dir)) rmSync(join(dir, name), { recursive: true })
    const before = clock.ms
    const batches = await listen(30)
    expect(clock.ms - before).toBeGreaterThanOrEqual(30_000)
    expect(
      batches
        .slice(60)
        .flatMap(marksIn)
        .every(({ track }) => track === 0),
    ).toBe(true)
    expect((await source.nowPlaying(1)).song?.title).toBe('Carrier Wave')
  })
})

describe('now playing', () => {
  test('reads nothing before the first request', async () => {
    const { source, dir } = station()
    await new Promise((resolve) => setImmediate(resolve))
    put(dir, 'late.mp3', mp3({ seconds: 5 }))
    expect((await source.nowPlaying(1)).song?.title).toBe('late')
  })

  test('follows the clock with song, position and history', async () => {
    const { source, clock } = musicStation()
    const start = await source.nowPlaying(1)
    clock.ms += (start.duration - start.elapsed) * 1000 + 1000
    const { song, elapsed, duration, history, listeners, live } = await source.nowPlaying(1)
    const titles = ['First', 'second song', 'Third']
    const index = titles.indexOf(song?.title ?? '')
    expect(titles[(index + 2) % 3]).toBe(start.song?.title)
    expect(elapsed).toBeGreaterThan(0.9)
    expect(elapsed).toBeLessThan(1.1)
    expect(duration).toBeCloseTo((TRACK_FRAMES[index] ?? 0) * FRAME_SECONDS, 6)
    expect({ listeners, live }).toEqual({ listeners: null, live: { isLive: false, streamer: '' } })
    expect(history.map(({ song }) => song.title)).toEqual([titles[(index + 2) % 3], titles[(index + 1) % 3]])
    const begun = clock.ms - elapsed * 1000 - start.duration * 1000
    expect(Math.abs(Date.parse(history[0]?.playedAt ?? '') - begun)).toBeLessThan(5)
  })

  test('uses tags, or else the file name', async () => {
    const { source, clock } = musicStation()
    const songs = new Map()
    for (let step = 0; step < 31; step++, clock.ms += 1000) {
      const { song } = await source.nowPlaying(1)
      songs.set(song?.title, song)
    }
    expect(Object.fromEntries(songs)).toEqual({
      First: { title: 'First', artist: 'One', album: '', art: null },
      'second song': { title: 'second song', artist: '', album: '', art: null },
      Third: { title: 'Third', artist: '', album: 'Records', art: null },
    })
  })

  test('serves the cover of a song by its reference only', async () => {
    const { source, dir } = station()
    const bytes = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])
    put(dir, 'x.mp3', mp3({ seconds: 3, tags: { title: 'X', picture: { type: 'image/jpeg', bytes } } }))
    const { song } = await source.nowPlaying(1)
    expect(await source.readArt(song?.art ?? '')).toEqual(bytes)
    for (const reference of ['', '1', 'x.mp3', '../x.mp3', 'NaN']) {
      await expect(source.readArt(reference)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
  })

  test('reports nothing on air without music and demo track', async () => {
    const { source, dir, faults } = station({ demo: '/nowhere/demo.mp3', dir: '/nowhere/radio' })
    expect(dir).toBe('/nowhere/radio')
    expect(await source.nowPlaying(1)).toMatchObject({ song: null, elapsed: 0, duration: 0, history: [] })
    await expect(source.openStream(1, new AbortController().signal)).rejects.toMatchObject({
      reason: 'no music to play',
    })
    expect(await source.streamers(1)).toEqual([])
    expect(faults).toEqual([])
  })
})

/** Counts the open files of this process below a folder. Returns 0 on systems other than Linux. */
function openFiles(dir: string): number {
  if (process.platform !== 'linux') return 0
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(dir)
    } catch {
      return false
    }
  }).length
}
