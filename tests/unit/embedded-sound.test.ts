import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseRange } from '#server/core/http/byteRange.ts'
import { createMpegParser } from '#server/features/radio/input/frames/mpeg.ts'
import { statFile } from '#server/features/radio/library/files.ts'
import { DEMO_TRACK } from '#server/features/radio/library/library.ts'
import { readFrames, readMp3Info } from '#server/features/radio/library/mp3File.ts'
import { readCoverArt, readTags } from '#server/features/radio/library/tags.ts'
import { id3v2, type Mp3Options, marksIn, mp3 } from '#tests/helpers/mp3.ts'
import { noiseBytes } from '#tests/helpers/sampleImages.ts'

let dir: string
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'sound-'))
})
afterAll(() => rmSync(dir, { recursive: true }))

async function file(bytes: Buffer) {
  const path = join(dir, 'file.mp3')
  writeFileSync(path, bytes)
  const found = await statFile(path, 'file.mp3')
  if (!found) throw new Error('the file is not there')
  return found
}

const apeTag = (size: number) => {
  const footer = Buffer.alloc(32)
  footer.write('APETAGEX')
  footer.writeUInt32LE(2000, 8)
  footer.writeUInt32LE(size + 32, 12)
  return Buffer.concat([Buffer.alloc(size, 0xff), footer])
}
const quiet = Array.from({ length: 500 }, () => 64 as const)
const quietAtBothEnds = [...quiet, ...Array.from({ length: 1297 }, () => 192 as const), ...quiet]
const id3v1 = Buffer.concat([Buffer.from('TAGOld title'), Buffer.alloc(116)])

describe('frame count', () => {
  const long: [string, Mp3Options][] = [
    ['a constant bit rate', { seconds: 60 }],
    ['a constant bit rate with a header', { seconds: 61, header: true, tags: { title: 'x' } }],
    ['variable bit rates with a header', { seconds: 62, bitRates: [64, 128, 192, 320], header: true }],
    ['variable bit rates without a header', { seconds: 63, bitRates: [64, 128, 192] }],
    ['mono at 48 kHz', { seconds: 64, sampleRate: 48000, mono: true }],
    ['MPEG 2', { seconds: 65, sampleRate: 22050, bitRates: [64] }],
    ['variable bit rates that are equal at both ends', { seconds: 60, bitRates: quietAtBothEnds, header: true }],
    ['a short file', { seconds: 2 }],
  ]
  test.each(long)('is correct for %s', async (_name, options) => {
    const bytes = mp3(options)
    const sound = await readMp3Info(await file(bytes))
    const frames = createMpegParser().push(bytes)
    expect(sound).toMatchObject({ frames: frames.length, format: frames[0]?.format })
    expect((sound?.frames ?? 0) * (sound?.secondsPerFrame ?? 0)).toBeCloseTo(options.seconds, 1)
  })

  test('does not count tags at both ends', async () => {
    const bytes = mp3({ seconds: 60, tags: { title: 'A', picture: { type: 'image/png', bytes: noiseBytes(700_000) } } })
    const tagged = Buffer.concat([id3v2({ title: 'again' }), bytes, apeTag(9000), id3v1])
    expect((await readMp3Info(await file(tagged)))?.frames).toBe(createMpegParser().push(bytes).length)
  })

  test('ignores an Xing header with an impossible frame count', async () => {
    const bytes = mp3({ seconds: 80, bitRates: [64, 192], header: true })
    const { length } = createMpegParser().push(bytes)
    bytes.writeUInt32BE(0xffff_ffff, bytes.indexOf('Xing') + 8)
    expect((await readMp3Info(await file(bytes)))?.frames).toBe(length)
  })

  test('counts the frames present in a truncated file', async () => {
    const bytes = mp3({ seconds: 80, bitRates: [64, 192], header: true })
    const cut = bytes.subarray(0, Math.floor(bytes.length * 0.4))
    expect((await readMp3Info(await file(cut)))?.frames).toBe(createMpegParser().push(cut).length)
  })
})

describe('reading from a frame', () => {
  test.each([
    ['a constant bit rate', { seconds: 60 }],
    ['a header and tags', { seconds: 60, header: true, tags: { title: 'x' } }],
  ] as [string, Mp3Options][])('%s', async (_name, options) => {
    const found = await file(mp3(options))
    const sound = await readMp3Info(found)
    if (!sound) throw new Error('no sound')
    for (const from of [0, 1, 2, 777, 1500, sound.frames - 2]) {
      const frames = []
      for await (const some of readFrames(found, sound, from)) frames.push(...some)
      const marks = marksIn(Buffer.concat(frames.map(({ bytes }) => bytes)))
      expect(marks[0]?.frame).toBe(from)
      expect(marks.at(-1)?.frame).toBe(sound.frames - 1)
      expect(marks).toHaveLength(sound.frames - from)
    }
  })

  test('works with variable bit rates', async () => {
    const found = await file(mp3({ seconds: 60, bitRates: [64, 192], header: true }))
    const sound = await readMp3Info(found)
    if (!sound) throw new Error('no sound')
    let count = 0
    for await (const some of readFrames(found, sound, 1000)) count += some.length
    expect(count).toBe(sound.frames - 1000)
  })
})

describe('tags', () => {
  const picture = { type: 'image/png', bytes: noiseBytes(5000) }

  test('have title, artist, album and cover', async () => {
    const tags = { title: 'Größe – 音', artist: 'Ärtist', album: 'Álbum', picture }
    const found = await file(mp3({ seconds: 3, tags }))
    expect(await readTags(found)).toEqual({
      title: 'Größe – 音',
      artist: 'Ärtist',
      album: 'Álbum',
      hasCoverArt: true,
    })
    expect(await readCoverArt(found)).toEqual(picture.bytes)
  })

  test('are read from the end of the file, and may be missing', async () => {
    expect(await readTags(await file(Buffer.concat([mp3({ seconds: 3 }), id3v1])))).toMatchObject({
      title: 'Old title',
    })
    const none = { title: null, artist: null, album: null, hasCoverArt: false }
    expect(await readTags(await file(mp3({ seconds: 3 })))).toEqual(none)
    expect(await readTags(await file(Buffer.alloc(0)))).toEqual(none)
  })

  test('are reduced to one line of bounded length', async () => {
    const tags = { title: `a\r\n\u0007b\u202ec${'x'.repeat(5000)}`, artist: ' \u0001 ' }
    const { title, artist } = await readTags(await file(mp3({ seconds: 3, tags })))
    expect(title?.slice(0, 5)).toBe('a b c')
    expect(title).toHaveLength(200)
    expect(artist).toBeNull()
  })

  test('are skipped when invalid', async () => {
    const good = mp3({ seconds: 3, header: true, tags: { title: 'T', artist: 'A', album: 'B', picture } })
    const random = noiseBytes(20_000, 5)
    for (let round = 0; round < 400; round++) {
      const bad = Buffer.from(good)
      for (let change = 0; change < 1 + (round % 8); change++) {
        const at = random.readUInt16BE((round * 16 + change * 2) % 19_000) % (change % 2 === 0 ? 120 : 6000)
        bad[at] = random[(round * 7 + change) % 20_000] ?? 0
      }
      const found = await file(round % 5 === 0 ? bad.subarray(0, 40 + round * 3) : bad)
      await readTags(found)
      await readCoverArt(found)
      await readMp3Info(found)
    }
  })
})

test('the demo track loops: whole frames of one bit rate, about a minute long, and small', async () => {
  const bytes = await readFile(DEMO_TRACK)
  const frames = createMpegParser().push(bytes)
  expect(frames).toHaveLength(2304)
  expect(new Set(frames.map(({ format, bytes }) => `${format} ${(bytes[2] ?? 0) >> 4}`)).size).toBe(1)
  // main_data_begin is 0: no frame needs bits of earlier frames
  expect(frames.every(({ bytes }) => bytes[4] === 0 && (bytes[5] ?? 0) >> 7 === 0)).toBe(true)
  expect(statSync(DEMO_TRACK).size).toBeLessThan(1_100_000)
  const found = await statFile(DEMO_TRACK, 'demo.mp3')
  if (!found) throw new Error('the demo track is not there')
  expect(await readTags(found)).toEqual({
    title: 'Carrier Wave',
    artist: 'DTP',
    album: 'Test Transmissions',
    hasCoverArt: true,
  })
  expect((await readCoverArt(found))?.length).toBeLessThan(40_000)
})

describe('ranges', () => {
  const size = 1000
  test.each([
    [undefined, 200, 0, 1000, null],
    ['bytes=0-', 206, 0, 1000, 'bytes 0-999/1000'],
    ['bytes=0-0', 206, 0, 1, 'bytes 0-0/1000'],
    ['bytes=10-19', 206, 10, 10, 'bytes 10-19/1000'],
    ['bytes=990-999999999999999', 206, 990, 10, 'bytes 990-999/1000'],
    ['bytes=-5', 206, 995, 5, 'bytes 995-999/1000'],
    ['bytes=-5000', 206, 0, 1000, 'bytes 0-999/1000'],
    ['Bytes=10-19', 206, 10, 10, 'bytes 10-19/1000'],
    ['bytes=1000-', 416, 0, 0, 'bytes */1000'],
    ['bytes=999999999999999-', 416, 0, 0, 'bytes */1000'],
    ['bytes=-0', 416, 0, 0, 'bytes */1000'],
    ['bytes=20-10', 200, 0, 1000, null],
    ['bytes=-', 200, 0, 1000, null],
    ['bytes=0-1,5-6', 200, 0, 1000, null],
    ['items=0-1', 200, 0, 1000, null],
    ['bytes=a-b', 200, 0, 1000, null],
    ['', 200, 0, 1000, null],
  ] as const)('%s', (header, status, start, length, range) => {
    expect(parseRange(size, header)).toEqual({ status, start, length, range })
  })

  test('handles an empty file', () => {
    expect(parseRange(0, undefined)).toEqual({ status: 200, start: 0, length: 0, range: null })
    expect(parseRange(0, 'bytes=0-')).toEqual({ status: 416, start: 0, length: 0, range: 'bytes */0' })
    expect(parseRange(0, 'bytes=-1')).toEqual({ status: 416, start: 0, length: 0, range: 'bytes */0' })
  })
})
