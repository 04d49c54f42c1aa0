import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { openSound, openStation, put } from '#tests/helpers/embeddedStation.ts'
import { framesOf, id3v2, marksIn, mp3, syncSafe } from '#tests/helpers/mp3.ts'
import { noiseBytes } from '#tests/helpers/sampleImages.ts'

const opened: { remove(): void }[] = []
afterEach(() => {
  for (const station of opened.splice(0)) station.remove()
})

function station() {
  const opening = openStation()
  opened.push(opening)
  return { ...opening, put: (name: string, bytes: Buffer | string) => put(opening.dir, name, bytes) }
}

/** Returns the sorted titles that the station plays within `seconds`. */
async function titles({ source, clock }: ReturnType<typeof station>, seconds: number): Promise<string[]> {
  const found = new Set<string>()
  for (let step = 0; step < seconds; step++, clock.ms += 1000) {
    found.add((await source.nowPlaying(1)).song?.title ?? '')
  }
  return [...found].sort()
}

test('plays the sample rate and channel count of most music, and logs the other files once', async () => {
  const here = station()
  here.put('a.mp3', mp3({ seconds: 5, track: 1 }))
  here.put('deep/er/b.mp3', mp3({ seconds: 6, track: 2, bitRates: [64, 128, 320] }))
  here.put('other rate.mp3', mp3({ seconds: 9, sampleRate: 48000 }))
  here.put('deep/mono.mp3', mp3({ seconds: 8, mono: true }))
  here.put('low.mp3', mp3({ seconds: 7, sampleRate: 22050 }))
  expect(await titles(here, 12)).toEqual(['a', 'b'])
  expect(here.warnings.map(({ files, count }) => ({ files, count }))).toEqual([
    { files: ['mono.mp3', 'low.mp3', 'other rate.mp3'], count: 3 },
  ])
  here.clock.ms += 120_000
  await here.source.nowPlaying(1)
  await expect.poll(async () => (await here.source.nowPlaying(1)).song).not.toBeNull()
  expect(here.warnings).toHaveLength(1)

  // now most music has 48 kHz: the station switches to this rate
  here.put('more.mp3', mp3({ seconds: 30, sampleRate: 48000 }))
  const titleAfterMinute = async () => {
    here.clock.ms += 61_000
    return (await here.source.nowPlaying(1)).song?.title
  }
  await expect.poll(titleAfterMinute).toMatch(/more|other rate/)
  expect(here.warnings).toHaveLength(2)
  expect(here.warnings[1]?.files).toEqual(['a.mp3', 'b.mp3', 'mono.mp3', 'low.mp3'])
})

test('ends the stream when the sample rate of the music changes', async () => {
  const here = station()
  here.put('a.mp3', mp3({ seconds: 5 }))
  await here.source.nowPlaying(1)
  here.put('b.mp3', mp3({ seconds: 50, sampleRate: 48000 }))
  const before = here.clock.ms
  await here.listen(600)
  const played = here.clock.ms - before
  expect(played).toBeGreaterThan(50_000)
  expect(played).toBeLessThan(300_000)
})

describe('files that are not music', () => {
  const sound = () => mp3({ seconds: 4 })

  test('are skipped and logged, and the rest is played', async () => {
    const here = station()
    here.put('good.mp3', sound())
    here.put('empty.mp3', '')
    here.put('text.mp3', 'This is not the music you are looking for.\n'.repeat(10_000))
    here.put('noise.mp3', noiseBytes(500_000))
    here.put('sync.mp3', Buffer.alloc(300_000, 0xff))
    here.put('one frame.mp3', sound().subarray(0, 417))
    here.put('short.mp3', mp3({ seconds: 0.5 }))
    here.put('only tags.mp3', id3v2({ title: 'Nothing' }))
    here.put('long tag.mp3', Buffer.concat([Buffer.from('ID3\x04\0\0', 'latin1'), syncSafe(0xfffffff), sound()]))
    truncateSync(here.put('hole.mp3', ''), 1024 ** 3)
    mkdirSync(join(here.dir, 'folder.mp3'))
    here.put('.hidden.mp3', sound())
    here.put('.hidden/inside.mp3', sound())
    here.put('song.ogg', sound())
    here.put('shows/dj/show.mp3', sound())
    execFileSync('mkfifo', [join(here.dir, 'pipe.mp3')])
    const outside = station()
    const target = outside.put('outside.mp3', sound())
    symlinkSync(target, join(here.dir, 'link.mp3'))
    symlinkSync(outside.dir, join(here.dir, 'linked'))
    symlinkSync('.', join(here.dir, 'round'))

    expect(await titles(here, 6)).toEqual(['good'])
    expect(here.warnings.flatMap(({ files }) => files)).toEqual([
      'empty.mp3',
      'hole.mp3',
      'long tag.mp3',
      'noise.mp3',
      'one frame.mp3',
      'only tags.mp3',
      'short.mp3',
      'sync.mp3',
      'text.mp3',
    ])
    expect(here.faults).toEqual([])
    expect(new Set((await here.listen(20)).flatMap(marksIn).map(({ track }) => track))).toEqual(new Set([1]))
  })

  test('skips other data between frames in a file', async () => {
    const here = station()
    const frames = framesOf({ seconds: 6 })
    const cut = Buffer.concat([...frames.slice(0, 100), frames[100]?.subarray(0, 300) ?? Buffer.alloc(0)])
    const garbage = noiseBytes(40_000)
    const other = mp3({ seconds: 1, sampleRate: 48000 })
    here.put(
      'mixed.mp3',
      Buffer.concat([id3v2({ title: 'Mixed' }), garbage, cut, garbage, other, ...frames.slice(101)]),
    )
    const marks = (await here.listen(20)).flatMap(marksIn)
    const heard = new Set(marks.map(({ frame }) => frame))
    expect(heard.size).toBeGreaterThan(frames.length - 10)
    expect((await here.source.nowPlaying(1)).song?.title).toBe('Mixed')
  })

  test('ends a long file at a hole and plays the next track', async () => {
    const here = station()
    const long = mp3({ seconds: 60, track: 1 })
    const hole = Buffer.alloc(3 * 1024 * 1024)
    here.put('a.mp3', Buffer.concat([long.subarray(0, 200_000), hole, long.subarray(-200_000)]))
    here.put('b.mp3', mp3({ seconds: 20, track: 2 }))
    const marks = (await here.listen(240)).flatMap(marksIn)
    const order = marks.filter(({ track }, index) => track !== marks[index - 1]?.track)
    expect(order.length).toBeGreaterThan(4)
    expect(here.faults).toEqual([])
  })

  test.runIf(process.getuid?.() !== 0)('skips an unreadable file', async () => {
    const here = station()
    here.put('good.mp3', sound())
    const path = here.put('closed.mp3', sound())
    chmodSync(path, 0)
    expect(await titles(here, 5)).toEqual(['good'])
    expect(here.warnings[0]?.files).toEqual(['closed.mp3'])
    chmodSync(path, 0o600)
    here.clock.ms += 61_000
    await here.source.nowPlaying(1)
    await expect.poll(() => titles(here, 9)).toEqual(['closed', 'good'])
  })
})

test('measures a track whose header counts more than a large hole has left', async () => {
  const here = station()
  // the header announces 120 seconds, but more than half of the bytes are not audio
  const bytes = mp3({ seconds: 120, track: 1, bitRates: [64, 128], header: true })
  const middle = Math.floor(bytes.length / 2)
  bytes.fill(0x55, middle - 500_000, middle + 400_000)
  here.put('a.mp3', bytes)
  const { song, duration } = await here.source.nowPlaying(1)
  expect(song?.title).toBe('a')
  expect(duration).toBeLessThan(60)
})

test('a track with a small hole ends with silence, so that all processes stay at the same second', async () => {
  const here = station()
  const bytes = mp3({ seconds: 60, track: 1 })
  bytes.fill(0x55, 150_000, 210_000)
  here.put('a.mp3', bytes)
  here.put('b.mp3', mp3({ seconds: 20, track: 2 }))
  const marks = (await here.listen(100)).flatMap(marksIn)
  const silent = marks.filter(({ track }) => track === 0).length * (1152 / 44_100)
  expect(silent).toBeGreaterThan(3)
  expect(silent).toBeLessThan(9)
  const begins = marks.flatMap(({ frame }, index) => (frame === 0 && index > 0 ? marks[index - 1]?.track : []))
  expect(begins).toContain(0)
  const other = openStation({ dir: here.dir, time: new Date(here.clock.ms).toISOString() })
  const [mark] = (await other.listen(0)).flatMap(marksIn).slice(-1)
  const last = marks.at(-1)
  expect(mark?.track).toBe(last?.track)
  expect(Math.abs((mark?.frame ?? 0) - (last?.frame ?? 0))).toBeLessThan(200)
})

test('goes on with the other music when a file disappears or changes, and now-playing follows', async () => {
  const here = station()
  const path = here.put('a.mp3', mp3({ seconds: 120, track: 1 }))
  const other = here.put('b.mp3', mp3({ seconds: 120, track: 2 }))
  const end = new AbortController()
  const body = await openSound(here.source, end.signal)
  const stream = body[Symbol.asyncIterator]()
  const trackNow = async () => marksIn((await stream.next()).value).at(-1)?.track
  while ((await trackNow()) !== 1);
  for (let batch = 0; batch < 20; batch++) await trackNow()
  rmSync(path)
  const gone = here.clock.ms
  while ((await trackNow()) === 1);
  expect(here.clock.ms - gone).toBeLessThan(10_000)
  expect(await trackNow()).toBe(2)
  expect((await here.source.nowPlaying(1)).song?.title).toBe('b')

  // the file is replaced during playback
  writeFileSync(other, mp3({ seconds: 100, track: 3 }))
  utimesSync(other, 1, 1)
  here.clock.ms += 5_000
  // The clock of the station goes faster than the folder is read again.
  await expect.poll(trackNow).toBe(3)
  end.abort()
})

test('after a change of the folder, the current song ends, and then all processes are at the same second', async () => {
  const { dir, source, clock } = station()
  for (const [index, name] of ['a.mp3', 'b.mp3'].entries()) {
    const bytes = mp3({ seconds: 100, track: index + 1 })
    // Without fifteen frames, listeners hear the end of the song a little early.
    bytes.fill(0x55, 1_000_000, 1_006_000)
    put(dir, name, bytes)
  }
  // Ten seconds into a song, so that the change is noticed before its end.
  const time = new Date(clock.ms + (110 - (await source.nowPlaying(1)).elapsed) * 1000)
  const here = openStation({ dir, time: time.toISOString() })
  const end = new AbortController()
  const body = await openSound(here.source, end.signal)
  const stream = body[Symbol.asyncIterator]()
  const playUntil = async (time: number) => {
    let marks = marksIn((await stream.next()).value)
    while (here.clock.ms < time) marks = marksIn((await stream.next()).value)
    return marks.at(-1)
  }
  const song = await playUntil(here.clock.ms)
  const begin = here.clock.ms
  put(dir, 'c.mp3', mp3({ seconds: 70, track: 3 }))
  put(dir, 'd.mp3', mp3({ seconds: 45, track: 4 }))
  put(dir, 'no music.mp3', 'x')
  const endOfSong = begin + 100_000 - ((song?.frame ?? 0) * 1152) / 44.1
  await playUntil(begin + 61_000)
  // The clock stands still while the station reads the new files.
  await here.source.nowPlaying(1)
  await expect.poll(() => here.warnings).toHaveLength(1)
  expect((await playUntil(endOfSong - 1000))?.track).toBe(song?.track)
  for (const seconds of [20, 60, 120, 300]) {
    const playing = await playUntil(endOfSong + seconds * 1000)
    const restarted = openStation({ dir, time: new Date(here.clock.ms).toISOString() })
    const [mark] = (await restarted.listen(0)).flatMap(marksIn).slice(-1)
    expect(playing?.track).toBe(mark?.track)
    expect(Math.abs((playing?.frame ?? 0) - (mark?.frame ?? 0))).toBeLessThan(20)
  }
  end.abort()
})

test('scans thousands of files without blocking', async () => {
  const here = station()
  const bytes = mp3({ seconds: 15 })
  for (let file = 0; file < 300; file++) here.put(`${file % 7}/${file}.mp3`, bytes)
  let turns = 0
  let isRead = false
  const count = () => {
    turns++
    if (!isRead) setImmediate(count)
  }
  count()
  await here.source.nowPlaying(1)
  isRead = true
  expect(turns).toBeGreaterThan(300)
})
