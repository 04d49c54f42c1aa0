import { expect, test } from 'vitest'
import { createAudioParser, mediaTypeOf } from '#server/features/radio/input/frames/audioParser.ts'
import { createAdtsParser } from '#server/features/radio/input/frames/mpeg.ts'
import { createOggParser } from '#server/features/radio/input/frames/ogg.ts'
import { adtsFrame, oggPage, oggSound, opusHead, vorbisHead } from '#tests/helpers/audioFrames.ts'
import { framesOf } from '#tests/helpers/mp3.ts'

const pages = (...chunks: Buffer[]) => {
  const parser = createOggParser()
  return chunks.flatMap((chunk) => parser.push(chunk))
}

test('AAC: parses frames of any length, skips garbage, and recognises formats', () => {
  const frames = [200, 371, 12, 8191].map((length, index) => adtsFrame(index, { length }))
  const mono = [1, 2].map((mark) => adtsFrame(mark, { channels: 1 }))
  const parser = createAdtsParser()
  const found = [Buffer.from('garbage \xff\xf1'), ...frames, ...mono].flatMap((chunk) => parser.push(chunk))
  expect(found.map(({ bytes }) => bytes)).toEqual([...frames, ...mono])
  expect(found[0]?.seconds).toBeCloseTo(1024 / 44100, 9)
  expect(new Set(found.map(({ format }) => format))).toEqual(
    new Set(['AAC 0/1, 44100 Hz, channels 2', 'AAC 0/1, 44100 Hz, channels 1']),
  )
})

test('AAC: is distinguished from MPEG audio by its layer', () => {
  const mpeg = createAdtsParser()
  expect(mpeg.push(Buffer.concat(framesOf({ seconds: 1 })))).toEqual([])
})

test('MPEG: finds no sound in layers and containers that browsers do not play', () => {
  const parse = (bytes: Buffer) => createAudioParser('audio/mpeg')?.push(bytes)
  const layer2 = Buffer.alloc(576)
  layer2.set([0xff, 0xfd, 0xa4, 0x00])
  expect(parse(Buffer.concat([layer2, layer2, layer2]))).toEqual([])
  // Two whole frames fit into a packet of a transport stream.
  const frames = Buffer.concat([1, 2].map((mark) => adtsFrame(mark, { length: 92 })))
  const packet = Buffer.concat([Buffer.of(0x47, 0x41, 0, 0x10), frames])
  expect(parse(frames)).toHaveLength(2)
  expect(parse(Buffer.concat([packet, packet, packet, packet]))).toEqual([])
})

test('accepts the media types that programs use for Ogg', () => {
  for (const type of ['audio/ogg', 'application/ogg', 'video/ogg', 'audio/x-ogg'])
    expect(createAudioParser(type)?.push(Buffer.concat([...vorbisHead(), ...oggSound(1)]))).toHaveLength(3)
  expect(createAudioParser('video/webm')).toBeNull()
})

test('Ogg: separates header pages from audio, and computes durations from positions', () => {
  const [head, sound] = [vorbisHead(), oggSound(4)]
  const found = pages(...head, ...sound)
  expect(found.map(({ bytes }) => bytes)).toEqual([...head, ...sound])
  expect(found.map(({ isHeader }) => isHeader)).toEqual([true, true, false, false, false, false])
  expect(found.map(({ seconds }) => seconds)).toEqual([0, 0, 0.5, 0.5, 0.5, 0.5])
  expect(found[0]?.format).toBe('Vorbis, 44100 Hz, 2 ch')
  expect(pages(...opusHead(7, 1), ...oggSound(1, { serial: 7 }))[0]?.format).toBe('Opus, 48000 Hz, 1 ch')
})

test('Ogg: reads as many FLAC header packets as announced', () => {
  const first = Buffer.alloc(51)
  first.write('\x7fFLAC\x01\0\0\x02fLaC', 'latin1')
  first.writeUInt32BE((96_000 << 12) | (1 << 9), 27)
  const head = [
    oggPage({ flags: 2, packets: [first] }),
    oggPage({ packets: [Buffer.from('comment')], number: 1 }),
    oggPage({ packets: [Buffer.alloc(700)], number: 2 }),
  ]
  const found = pages(...head, ...oggSound(2, { rate: 96_000 }))
  expect(found.map(({ isHeader }) => isHeader)).toEqual([true, true, true, false, false])
  expect(found[4]).toMatchObject({ seconds: 0.5, format: 'FLAC, 96000 Hz, 2 ch' })
})

test('Ogg: accepts headers over several pages, and continued packets', () => {
  const [first = Buffer.alloc(0)] = vorbisHead()
  const head = [
    first,
    oggPage({ packets: [Buffer.alloc(255 * 255)], open: true, granule: -1n }),
    oggPage({ flags: 1, packets: [Buffer.alloc(40), Buffer.alloc(300)] }),
  ]
  const sound = [
    oggPage({ packets: [Buffer.alloc(255 * 100)], open: true, granule: -1n }),
    oggPage({ flags: 1, packets: [Buffer.alloc(10)], granule: 900n }),
  ]
  const found = pages(...head, ...sound)
  expect(found.map(({ isHeader, startsMidPacket }) => [isHeader, startsMidPacket])).toEqual([
    [true, false],
    [true, false],
    [true, true],
    [false, false],
    [false, true],
  ])
})

test('Ogg: handles chained streams and drops multiplexed ones', () => {
  const video = (flags: number) => oggPage({ serial: 9, flags, packets: [Buffer.from('\x80theora and so on')] })
  const one = [...vorbisHead(), ...oggSound(2)]
  const two = [...vorbisHead({ serial: 2 }), ...oggSound(2, { serial: 2 })]
  const last = oggPage({ granule: 99n, flags: 4, packets: [Buffer.alloc(5)] })
  const found = pages(video(2), ...one, video(0), last, ...oggSound(1), ...two)
  expect(found.map(({ bytes }) => bytes)).toEqual([...one, last, ...two])
  // the parser uses only the first of two multiplexed streams
  const beside = pages(vorbisHead()[0] as Buffer, opusHead(2)[0] as Buffer, vorbisHead()[1] as Buffer, ...oggSound(1))
  expect(beside.map(({ format }) => format)).toEqual(Array(3).fill('Vorbis, 44100 Hz, 2 ch'))
})

test('Ogg: drops links that have only a header', () => {
  const link = (serial: number) => [...vorbisHead({ serial }), ...oggSound(2, { serial })]
  // IceS ends the link on the page of the last header.
  const headerOnly = vorbisHead({ serial: 9, endsStream: true })
  const found = pages(...headerOnly, ...link(1), ...headerOnly, ...link(2))
  expect(found.map(({ bytes }) => bytes)).toEqual([...link(1), ...link(2)])
  const unfinished = oggPage({ serial: 9, flags: 2 | 4, packets: [Buffer.from('OpusHead\x01\x02')] })
  expect(pages(unfinished, ...link(1)).map(({ bytes }) => bytes)).toEqual(link(1))
})

test('Ogg: ignores positions that leap, repeat or are missing', () => {
  const at = (granule: bigint) => oggPage({ granule, packets: [Buffer.alloc(9)] })
  const found = pages(...vorbisHead(), ...[441n, -1n, 441n, 2n ** 62n, 3n, -(2n ** 62n), 44_100n - 2n ** 62n].map(at))
  expect(found.slice(2).map(({ seconds }) => seconds)).toEqual([0.01, 0, 0, 0, 0, 0, 1])
})

test('Ogg: finds a capture pattern that is split behind garbage', () => {
  const stream = Buffer.concat([Buffer.alloc(40, 1), ...opusHead(), ...oggSound(1)])
  for (const at of [41, 42, 43]) expect(pages(stream.subarray(0, at), stream.subarray(at))).toHaveLength(3)
})

test('Ogg: does not buffer an endless header', () => {
  const [first = Buffer.alloc(0)] = vorbisHead()
  const more = oggPage({ flags: 1, packets: [Buffer.alloc(255 * 255)], open: true })
  const end = oggPage({ flags: 1, packets: [Buffer.alloc(40), Buffer.alloc(300)] })
  const parse = (count: number) => pages(first, ...Array<Buffer>(count).fill(more), end, ...oggSound(1))
  expect(parse(7)).toHaveLength(10)
  expect(parse(20)).toEqual([])
})

test.each([
  ['audio/mpeg', 'audio/mpeg'],
  ['AUDIO/MP3; charset=utf-8', 'audio/mpeg'],
  ['audio/x-mpeg', 'audio/mpeg'],
  ['', 'audio/mpeg'],
  ['application/octet-stream', 'audio/mpeg'],
])('relays MPEG audio declared as %j with type %s', (declared, type) => {
  const frames = createAudioParser(declared)?.push(Buffer.concat(framesOf({ seconds: 1 }))) ?? []
  expect(frames).toHaveLength(38)
  expect(frames.map(({ format }) => mediaTypeOf(format))).toContain(type)
})

test.each(['application/octet-stream', 'audio/mpeg'])('detects the type of a stream declared as %s', (declared) => {
  const sounds: [string, Buffer[]][] = [
    ['audio/aac', [1, 2, 3].map((mark) => adtsFrame(mark))],
    ['audio/ogg', [...opusHead(), ...oggSound(3)]],
  ]
  for (const [type, sound] of sounds) {
    const parser = createAudioParser(declared)
    const frames = sound.flatMap((piece) => parser?.push(piece) ?? [])
    expect(frames.map(({ format }) => mediaTypeOf(format))).toEqual(sound.map(() => type))
  }
})

test.each([0, 1, 3])('does not find frames of another format in the headers of Ogg, cut at byte %i', (cut) => {
  const parser = createAudioParser('')
  const comment = oggPage({ packets: [Buffer.concat(framesOf({ seconds: 0.1 }))], number: 1 })
  const [head = Buffer.alloc(0)] = vorbisHead()
  const sent = Buffer.concat([head, comment])
  for (const piece of [sent.subarray(0, cut), sent.subarray(cut)]) expect(parser?.push(piece)).toEqual([])
})

test.each(['text/html', 'video/mp4', 'audio/wav', 'application/vnd.apple.mpegurl', 'constructor', '__proto__'])(
  'rejects %s',
  (type) => expect(createAudioParser(type)).toBeNull(),
)
