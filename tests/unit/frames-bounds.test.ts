import { afterEach, describe, expect, test, vi } from 'vitest'
import { createAdtsParser, createMpegParser } from '#server/features/radio/input/frames/mpeg.ts'
import { createOggParser } from '#server/features/radio/input/frames/ogg.ts'
import { adtsFrame, oggSound, opusHead, vorbisHead } from '#tests/helpers/audioFrames.ts'
import { frameNoise } from '#tests/helpers/hostileTexts.ts'
import { mp3 } from '#tests/helpers/mp3.ts'
import { fc } from '#tests/helpers/property.ts'

const kinds = [
  {
    name: 'MPEG',
    create: createMpegParser,
    sample: Buffer.concat([
      mp3({ seconds: 0.5, tags: { title: 'one' }, header: true, bitRates: [128, 320] }),
      Buffer.from('TAG'),
      Buffer.alloc(125, 0xff),
      Buffer.from([0xff, 0xfb, 0x90, 0, 0xff]),
      mp3({ seconds: 0.2, sampleRate: 22050, mono: true }),
    ]),
    // the parser buffers at most one frame and the next header
    mostKept: 2881 + 10,
  },
  {
    name: 'AAC',
    create: createAdtsParser,
    sample: Buffer.concat([
      ...[1, 2, 3, 4].map((mark) => adtsFrame(mark, { length: mark * 90 })),
      Buffer.from([0xff, 0xf1, 7]),
      // The three bytes above look like the header of a frame of up to 8 kB, so the parser buffers up to 8 kB.
      ...Array.from({ length: 12 }, (_, mark) => adtsFrame(mark, { rateIndex: 3, length: 900 })),
    ]),
    mostKept: 8191 + 10,
  },
  {
    name: 'Ogg',
    create: createOggParser,
    sample: Buffer.concat([
      ...vorbisHead(),
      ...oggSound(4),
      Buffer.from('OggSOggS\0'),
      ...opusHead(2),
      ...oggSound(3, { serial: 2 }),
    ]),
    mostKept: 65_307 + 27 + 255,
  },
]

const cuts = (length: number) => fc.array(fc.integer({ min: 1, max: length - 1 }), { maxLength: 60 })
const cut = (bytes: Buffer, places: number[]) => {
  const at = [0, ...[...new Set(places)].sort((a, b) => a - b), bytes.length]
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end))
}

afterEach(() => vi.restoreAllMocks())

describe.each(kinds)('$name', ({ create, sample, mostKept }) => {
  const parse = (chunks: Buffer[]) => {
    const parser = create()
    return chunks
      .flatMap((chunk) => parser.push(chunk))
      .map((frame) => ({ ...frame, bytes: frame.bytes.toString('hex') }))
  }

  test('returns the same frames for any chunk sizes', () => {
    const whole = parse([sample])
    expect(whole.length).toBeGreaterThan(6)
    expect(parse([...sample].map((byte) => Buffer.from([byte])))).toEqual(whole)
    fc.assert(
      fc.property(cuts(sample.length), (places) => {
        expect(parse(cut(sample, places))).toEqual(whole)
      }),
    )
  })

  test('never throws on corrupt data, and only returns bytes it was given', () => {
    const damage = fc.array(
      fc.tuple(fc.integer({ min: 0, max: sample.length - 1 }), fc.integer({ min: 0, max: 255 })),
      {
        maxLength: 40,
      },
    )
    fc.assert(
      fc.property(damage, cuts(sample.length), (changes, places) => {
        const bytes = Buffer.from(sample)
        for (const [at, byte] of changes) bytes[at] = byte
        const frames = parse(cut(bytes, places))
        expect(frames).toEqual(parse([bytes]))
        for (const frame of frames) {
          expect(bytes.includes(frame.bytes, 'hex')).toBe(true)
          expect(frame.seconds).toBeGreaterThanOrEqual(0)
          expect(frame.seconds).toBeLessThanOrEqual(10)
        }
      }),
    )
  })

  test('buffers at most one frame and a header', () => {
    const kept: number[] = []
    const { concat } = Buffer
    vi.spyOn(Buffer, 'concat').mockImplementation((list, length) => {
      kept.push(list[0]?.length ?? 0)
      return concat(list, length)
    })
    const noise = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.constantFrom(...['ID3\x04\0\0\x7f\x7f\x7f\x7f', 'TAG', 'OggS\0', 'APETAGEX'].map((text) => Buffer.from(text))),
      fc.constantFrom(Buffer.from([0xff, 0xfb, 0x90, 0]), Buffer.from([0xff, 0xf1, 0x50, 0x83, 0xff, 0xff, 0xfc])),
      fc.integer({ min: 0, max: sample.length }).map((at) => sample.subarray(at)),
      fc.constant(Buffer.alloc(200, 0xff)),
    )
    fc.assert(
      fc.property(fc.array(noise, { maxLength: 80 }), (chunks) => {
        const parser = create()
        for (const chunk of chunks) parser.push(Buffer.from(chunk))
      }),
    )
    expect(Math.max(...kept)).toBeGreaterThan(0)
    expect(Math.max(...kept)).toBeLessThanOrEqual(mostKept)
  })

  test.each(Object.entries(frameNoise))('finds no frame in noise of %s', (_, createNoise) => {
    const noise = Buffer.from(createNoise(1024 * 1024), 'latin1')
    const chunks = Array.from({ length: 256 }, (_, at) => noise.subarray(at * 4096, (at + 1) * 4096))
    expect(parse(chunks)).toEqual([])
  })
})
