import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Written } from '#server/features/radio/broadcastRows.ts'
import { type AudioFrame, createAudioParser } from '#server/features/radio/input/frames/audioParser.ts'
import { checksum, createMuxer } from '#server/features/radio/record/muxer.ts'
import { createRecording } from '#server/features/radio/record/recording.ts'
import { repairFile } from '#server/features/radio/record/recordingFile.ts'
import { adtsFrame, oggSound, opusHead, vorbisHead } from '#tests/helpers/audioFrames.ts'
import { framesOf } from '#tests/helpers/mp3.ts'

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'recordings-'))
})
afterAll(() => rm(dir, { recursive: true }))

const parse = (type: string, bytes: Buffer): AudioFrame[] => createAudioParser(type)?.push(bytes) ?? []
const oggFrames = (...pages: Buffer[]) => parse('audio/ogg', Buffer.concat(pages))

/** Muxes frames and returns the bytes of the file. */
function mux(type: string, frames: AudioFrame[], muxer = createMuxer(type)): Buffer {
  const bytes = frames.flatMap((frame) => muxer.push(frame) ?? [Buffer.from('refused')])
  return Buffer.concat([...bytes, ...muxer.end()])
}

describe('a file that was cut within a frame', () => {
  const mp3 = framesOf({ seconds: 3 })
  const aac = Array.from({ length: 60 }, (_, index) => adtsFrame(index))
  const ogg = oggFrames(...vorbisHead(), ...oggSound(8))
  const files: [string, string, Buffer[]][] = [
    ['MP3', 'audio/mpeg', mp3],
    ['AAC', 'audio/aac', aac],
    ['Ogg', 'audio/ogg', parse('audio/ogg', mux('audio/ogg', ogg)).map(({ bytes }) => bytes)],
  ]

  test.each(files)('keeps its whole frames: %s', async (name, type, frames) => {
    const path = join(dir, name)
    const whole = Buffer.concat(frames)
    const last = frames.at(-1)?.length ?? 0
    for (const missing of [1, 3, last - 1]) {
      await writeFile(path, whole.subarray(0, whole.length - missing))
      const repaired = await repairFile(path, type)
      const kept = whole.subarray(0, whole.length - last)
      expect([missing, repaired?.bytes]).toEqual([missing, kept.length])
      expect((await readFile(path)).equals(kept)).toBe(true)
    }
    await writeFile(path, whole)
    expect((await repairFile(path, type))?.bytes).toBe(whole.length)
  })

  test('reports the duration of what is left', async () => {
    const path = join(dir, 'duration')
    await writeFile(path, Buffer.concat(mp3).subarray(0, -10))
    expect((await repairFile(path, 'audio/mpeg'))?.seconds).toBeCloseTo(((mp3.length - 1) * 1152) / 44_100, 6)
    await writeFile(path, mux('audio/ogg', ogg).subarray(0, -30))
    expect((await repairFile(path, 'audio/ogg'))?.seconds).toBeCloseTo(3.5, 6)
  })

  test.each(['', 'not audio at all'.repeat(5000)])('is emptied if it has no whole frame', async (content) => {
    const path = join(dir, 'garbage')
    await writeFile(path, content)
    expect(await repairFile(path, 'audio/mpeg')).toBe(null)
    expect(await readFile(path, 'utf8')).toBe('')
    expect(await repairFile(join(dir, 'missing'), 'audio/mpeg')).toBe(null)
  })
})

describe('streams of one codec', () => {
  const first = [...vorbisHead({ serial: 1, comment: 'one' }), ...oggSound(4, { serial: 1 })]
  const second = [...vorbisHead({ serial: 2, comment: 'two' }), ...oggSound(4, { serial: 2 })]

  test('become one stream with rising positions', () => {
    const pages = parse('audio/ogg', mux('audio/ogg', oggFrames(...first, ...second)))
    const fields = pages.map(({ bytes }) => ({
      ...{ flags: bytes[5], serial: bytes.readUInt32LE(14), sequence: bytes.readUInt32LE(18) },
      granule: bytes.readBigInt64LE(6),
    }))
    expect(pages.filter(({ isHeader }) => isHeader)).toHaveLength(2)
    expect(new Set(fields.map(({ serial }) => serial))).toEqual(new Set([1]))
    expect(fields.map(({ sequence }) => sequence)).toEqual(fields.map((_, index) => index))
    expect(fields.map(({ flags }) => flags)).toEqual([2, ...Array(9).fill(0), 4])
    const positions = fields.slice(2).map(({ granule }) => Number(granule) / 44_100)
    expect(positions).toEqual([0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4])
  })

  test('continue a file after a restart', async () => {
    const path = join(dir, 'continued.ogg')
    // Without the page that ends the stream.
    await writeFile(path, mux('audio/ogg', oggFrames(...first)).subarray(0, -27))
    const repaired = await repairFile(path, 'audio/ogg')
    repaired?.muxer.skip()
    const rest = mux('audio/ogg', oggFrames(...second), repaired?.muxer)
    const whole = Buffer.concat([await readFile(path), rest])
    expect(whole.equals(mux('audio/ogg', oggFrames(...first, ...second)))).toBe(true)
  })

  test('refuse another codec, and return its headers', () => {
    const muxer = createMuxer('audio/ogg')
    for (const frame of oggFrames(...first)) expect(muxer.push(frame)).not.toBe(null)
    const other = oggFrames(...opusHead(9), ...oggSound(1, { serial: 9, rate: 48_000 }))
    expect(other.map((frame) => muxer.push(frame))).toEqual([[], [], null])
    expect(muxer.rest().map(({ bytes }) => bytes)).toEqual(opusHead(9))
  })

  test('have valid checksums', () => {
    // The check value of CRC-32/CKSUM, whose result is inverted.
    expect(checksum(Buffer.from('123456789'))).toBe(~0x765e7680 >>> 0)
    for (const { bytes } of parse('audio/ogg', mux('audio/ogg', oggFrames(...first)))) {
      const unsigned = Buffer.from(bytes)
      unsigned.writeUInt32LE(0, 22)
      expect(bytes.readUInt32LE(22)).toBe(checksum(unsigned))
    }
  })
})

test('frames of another format need another file', () => {
  const muxer = createMuxer('audio/mpeg')
  const [a, b] = [
    parse('audio/mpeg', Buffer.concat(framesOf({ seconds: 1 }))),
    parse('audio/mpeg', Buffer.concat(framesOf({ seconds: 1, sampleRate: 48_000 }))),
  ]
  expect(a.every((frame) => muxer.push(frame) !== null)).toBe(true)
  expect(muxer.push(b[0] as AudioFrame)).toBe(null)
  expect(muxer.seconds()).toBeCloseTo(a.length * (1152 / 44_100), 9)
})

test('a broadcast is recorded until the file is as large as all recordings may be, and goes on without', async () => {
  const completed: unknown[] = []
  const errors: unknown[] = []
  const rows = {
    readFile: async () => undefined,
    saveFile: async () => {},
    splitFile: async () => {},
    completeFile: async (_id: number, written: Written | null) => void completed.push(written),
    addTrack: async () => true,
  }
  const log = { info: () => {}, warn: () => {}, error: ({ reason }: { reason: string }) => errors.push(reason) }
  const recording = createRecording({ rows, dir, quota: 20_000, diskSpace: async () => 1e12, log: log as never }, 8)
  const frames = parse('audio/mpeg', Buffer.concat(framesOf({ seconds: 2 })))
  const bytes = frames.reduce((sum, frame) => sum + frame.bytes.length, 0)
  for (let at = 0; at < 5; at++) {
    recording.push('audio/mpeg', frames)
    recording.save()
  }
  await recording.finish()
  expect(errors).toEqual(['the recording is as large as RECORDINGS allows'])
  const parts = Math.ceil(20_000 / bytes)
  expect(parts).toBeLessThan(5)
  expect(completed).toEqual([expect.objectContaining({ file: '8-1.mp3', bytes: parts * bytes })])
})

test('a broadcast that changes its format too often has none of the files of its parts', async () => {
  const parts: string[] = []
  const completed: unknown[] = []
  const rows = {
    readFile: async () => undefined,
    saveFile: async () => {},
    splitFile: async (_id: number, { file }: Written) => void parts.push(file),
    completeFile: async (_id: number, written: Written | null) => void completed.push(written),
    addTrack: async () => true,
  }
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const deps = { rows, dir, quota: 1e9, diskSpace: async () => 1e12, log }
  const recording = createRecording(deps, 7)
  const formats = ([44_100, 48_000] as const).map((sampleRate) =>
    parse('audio/mpeg', Buffer.concat(framesOf({ seconds: 1, sampleRate }))),
  )
  for (let at = 0; at < 22; at++) recording.push('audio/mpeg', formats[at % 2] ?? [])
  await recording.finish()
  expect(parts).toEqual(Array.from({ length: 20 }, (_, index) => `7-${index + 1}.mp3`))
  expect(completed).toEqual([null])
  expect(await readdir(dir)).toEqual(expect.arrayContaining(parts))
})
