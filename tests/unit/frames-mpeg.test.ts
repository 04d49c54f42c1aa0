import { expect, test } from 'vitest'
import { createMpegParser, type Frame } from '#server/features/radio/input/frames/mpeg.ts'
import { framesOf, id3v2, mp3, syncSafe } from '#tests/helpers/mp3.ts'

const parse = (...chunks: Buffer[]): Frame[] => {
  const parser = createMpegParser()
  return chunks.flatMap((chunk) => parser.push(chunk))
}
const bytesOf = (frames: Frame[]) => frames.map(({ bytes }) => bytes)
/** Creates three frames with the given header and length. */
const three = (header: number[], length: number) => {
  const frame = Buffer.alloc(length)
  frame.set(header)
  return Buffer.concat([frame, frame, frame])
}

test.each([
  ['MPEG-1 layer 3, 44100 Hz, 2 ch', [0xff, 0xfb, 0x90, 0x00], 417, 26.122],
  ['MPEG-1 layer 3, 44100 Hz, 2 ch', [0xff, 0xfb, 0x92, 0x00], 418, 26.122],
  ['MPEG-1 layer 3, 48000 Hz, 1 ch', [0xff, 0xfa, 0xe4, 0xc0], 960, 24],
  ['MPEG-2 layer 3, 22050 Hz, 2 ch', [0xff, 0xf3, 0x80, 0x40], 208, 26.122],
  ['MPEG-2.5 layer 3, 8000 Hz, 1 ch', [0xff, 0xe3, 0x18, 0xc0], 72, 72],
])('%s', (format, header, length, milliseconds) => {
  // once in sync, the parser returns a frame without waiting for the next header
  const frames = parse(three(header, length))
  expect(frames.map((frame) => frame.bytes.length)).toEqual([length, length, length])
  expect(frames[0]?.format).toBe(format)
  expect((frames[0]?.seconds ?? 0) * 1000).toBeCloseTo(milliseconds, 2)
})

test('returns frames in the memory of their chunk', () => {
  const file = mp3({ seconds: 1 })
  const frames = parse(file)
  expect(frames).toHaveLength(38)
  for (const { bytes } of frames) expect(bytes.buffer).toBe(file.buffer)
})

test('treats variable bit rates as one format', () => {
  const frames = parse(mp3({ seconds: 1, bitRates: [128, 320, 64] }))
  expect(frames).toHaveLength(38)
  expect(new Set(frames.map(({ format }) => format)).size).toBe(1)
})

test('requires a second frame of the same format', () => {
  const frame = framesOf({ seconds: 0.1 })[0] as Buffer
  expect(parse(frame)).toEqual([])
  expect(parse(frame, Buffer.alloc(1000))).toEqual([])
  const mono = framesOf({ seconds: 0.1, mono: true })[0] as Buffer
  expect(parse(frame, mono, Buffer.alloc(1000))).toEqual([])
})

test('skips garbage before, between and after frames', () => {
  const frames = framesOf({ seconds: 0.2 })
  const garbage = Buffer.concat([Buffer.alloc(700, 0xff), Buffer.from('<html>'), Buffer.from([0xff, 0xfb, 0x90, 0])])
  const found = parse(garbage, ...frames.slice(0, 4), garbage, ...frames.slice(4), garbage)
  expect(bytesOf(found)).toEqual(frames)
})

test('loses only a damaged frame and those it overlaps', () => {
  const frames = framesOf({ seconds: 0.3 })
  const cut = (frames[4] as Buffer).subarray(100)
  const found = bytesOf(parse(...frames.slice(0, 4), (frames[4] as Buffer).subarray(0, 300), ...frames.slice(5)))
  expect(found.slice(0, 4)).toEqual(frames.slice(0, 4))
  expect(found.slice(-5)).toEqual(frames.slice(6))
  expect(bytesOf(parse(...frames.slice(0, 4), cut, ...frames.slice(5)))).toEqual([
    ...frames.slice(0, 4),
    ...frames.slice(5),
  ])
})

test('skips tags with any content', () => {
  const frames = framesOf({ seconds: 0.2 })
  const picture = { type: 'image/jpeg', bytes: Buffer.concat(framesOf({ seconds: 1, track: 9 })) }
  const footer = Buffer.concat([
    Buffer.from('ID3\x04\0\x10', 'latin1'),
    syncSafe(10),
    Buffer.alloc(10),
    Buffer.from('3DI'),
    Buffer.alloc(7),
  ])
  const ape = (flags: number, items: Buffer) => {
    const block = Buffer.alloc(32)
    block.write('APETAGEX', 'latin1')
    block.writeUInt32LE(items.length + 32, 12)
    block.writeUInt32LE(flags, 20)
    return block
  }
  const items = picture.bytes.subarray(0, 900)
  const tags = [
    id3v2({ title: 'one', picture }),
    footer,
    Buffer.concat([ape(0xa0000000, items), items, ape(0x80000000, items)]),
    Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125, 0xff)]),
  ]
  for (const tag of tags) {
    expect(bytesOf(parse(tag, ...frames, tag, ...frames, tag))).toEqual([...frames, ...frames])
    expect(bytesOf(parse(...[...Buffer.concat([tag, ...frames])].map((byte) => Buffer.from([byte]))))).toEqual(frames)
  }
})

test('drops frames that describe the file', () => {
  for (const mono of [false, true]) {
    for (const sampleRate of [44100, 22050] as const) {
      const options = { seconds: 0.5, mono, sampleRate }
      expect(bytesOf(parse(mp3({ ...options, header: true })))).toEqual(framesOf(options))
    }
  }
  const frames = framesOf({ seconds: 0.5 })
  for (const [name, at] of [
    ['Info', 36],
    ['VBRI', 36],
  ] as const) {
    const description = Buffer.from(frames[0] as Buffer)
    description.write(name, at, 'latin1')
    expect(bytesOf(parse(description, ...frames))).toEqual(frames)
  }
})

test('recognises a change of format', () => {
  const stereo = framesOf({ seconds: 0.2 })
  const mono = framesOf({ seconds: 0.2, mono: true, sampleRate: 48000 })
  const found = parse(...stereo, ...mono)
  expect(bytesOf(found)).toEqual([...stereo, ...mono])
  expect(found.map(({ format }) => format)).toEqual([
    ...stereo.map(() => 'MPEG-1 layer 3, 44100 Hz, 2 ch'),
    ...mono.map(() => 'MPEG-1 layer 3, 48000 Hz, 1 ch'),
  ])
})
