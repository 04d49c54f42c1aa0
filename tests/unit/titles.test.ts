import { expect, test } from 'vitest'
import { createOggParser } from '#server/features/radio/input/frames/ogg.ts'
import { readEmbeddedTitle, readOggTitle } from '#server/features/radio/input/titles.ts'
import { oggPage, oggSound } from '#tests/helpers/audioFrames.ts'
import { framesOf, id3v2, syncSafe } from '#tests/helpers/mp3.ts'

const ARTIST = 'Sigur Rós'
const TITLE = 'Hoppípolla'
const SOUND = Buffer.concat(framesOf({ seconds: 1 }))

/** Creates a tag of any version. The first value is the charset's number. */
function tagOf(version: number, fields: [name: string, charset: number, value: Buffer][]): Buffer {
  const frames = fields.map(([name, charset, value]) => {
    const body = Buffer.concat([Buffer.from([charset]), value])
    const size = Buffer.alloc(4)
    size.writeUInt32BE(body.length)
    const head = version === 2 ? size.subarray(1) : Buffer.concat([size, Buffer.alloc(2)])
    return Buffer.concat([Buffer.from(name, 'latin1'), head, body])
  })
  const body = Buffer.concat(frames)
  return Buffer.concat([Buffer.from(`ID3${String.fromCharCode(version)}\0\0`, 'latin1'), syncSafe(body.length), body])
}
const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])

test.each([
  ['2.4 in UTF-8', id3v2({ artist: ARTIST, title: TITLE, picture: { type: 'image/png', bytes: Buffer.alloc(300) } })],
  [
    '2.3 in UTF-16',
    tagOf(3, [
      ['TPE1', 1, utf16(ARTIST)],
      ['TIT2', 1, utf16(TITLE)],
    ]),
  ],
  [
    '2.2 in Latin-1',
    tagOf(2, [
      ['TP1', 0, Buffer.from(ARTIST, 'latin1')],
      ['TT2', 0, Buffer.from(`${TITLE}\0`, 'latin1')],
    ]),
  ],
])('reads a tag of version %s', async (_version, tag) => {
  expect(await readEmbeddedTitle(Buffer.concat([tag, SOUND]), 'audio/mpeg')).toEqual({ artist: ARTIST, title: TITLE })
})

test('broken tags and sound without tags give no title', async () => {
  const tag = id3v2({ artist: ARTIST, title: TITLE })
  const starts = [SOUND, Buffer.alloc(0), Buffer.from('ID3\x09\0\0\0\0\0\x7f'), Buffer.alloc(5000, 0xff)]
  for (const start of starts) expect(await readEmbeddedTitle(start, 'audio/mpeg')).toBeNull()
  for (let length = 0; length < tag.length; length += 7) await readEmbeddedTitle(tag.subarray(0, length), 'audio/mpeg')
})

const lengthOf = (bytes: Buffer) => {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(bytes.length)
  return Buffer.concat([length, bytes])
}
const COMMENTS = Buffer.concat([
  lengthOf(Buffer.from('vendor')),
  Buffer.from([2, 0, 0, 0]),
  ...[`TITLE=${TITLE}`, `artist=${ARTIST}`].map((text) => lengthOf(Buffer.from(text))),
])
const OPUS_HEAD = Buffer.from('OpusHead\x01\x02\0\0\x80\xbb\0\0\0\0\0', 'latin1')
const VORBIS_HEAD = Buffer.concat([Buffer.from('\x01vorbis\0\0\0\0\x02\x44\xac\0\0', 'latin1'), Buffer.alloc(14)])
/** Two header packets; rate and channels are in the last bytes of the first one. */
const FLAC_HEAD = Buffer.concat([
  Buffer.from('\x7fFLAC\x01\0\0\x01fLaC\0\0\0\x22', 'latin1'),
  Buffer.alloc(10),
  Buffer.from([0x0a, 0xc4, 0x42, 0xf0]),
  Buffer.alloc(20),
])

function headerOf(first: Buffer, comments: Buffer, ...rest: Buffer[]) {
  const head = [oggPage({ flags: 2, packets: [first] }), oggPage({ packets: [comments, ...rest], number: 1 })]
  return createOggParser()
    .push(Buffer.concat([...head, ...oggSound(2)]))
    .filter(({ isHeader }) => isHeader)
}

test.each([
  ['Opus', headerOf(OPUS_HEAD, Buffer.concat([Buffer.from('OpusTags'), COMMENTS]))],
  [
    'Vorbis',
    headerOf(
      VORBIS_HEAD,
      Buffer.concat([Buffer.from('\x03vorbis'), COMMENTS, Buffer.of(1)]),
      Buffer.from('\x05vorbis setup'),
    ),
  ],
  ['FLAC', headerOf(FLAC_HEAD, Buffer.concat([Buffer.from([0x84, 0, 0, COMMENTS.length]), COMMENTS]))],
])('reads the comments of %s in Ogg', async (_codec, pages) => {
  expect(pages.length).toBe(2)
  expect(await readOggTitle(pages)).toEqual({ artist: ARTIST, title: TITLE })
})

test('hostile comments give no title', async () => {
  for (const comments of [Buffer.from('OpusTags'), Buffer.concat([Buffer.from('OpusTags'), Buffer.alloc(40, 0xff)])]) {
    expect(await readOggTitle(headerOf(OPUS_HEAD, comments))).toBeNull()
  }
})
