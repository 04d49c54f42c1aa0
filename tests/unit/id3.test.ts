import { expect, test } from 'vitest'
import { createAudioParser } from '#server/features/radio/input/frames/audioParser.ts'
import { readId3 } from '#server/features/radio/input/titles.ts'
import { framesOf, id3v2, syncSafe } from '#tests/helpers/mp3.ts'

const ARTIST = 'Sigur Rós'
const TITLE = 'Hoppípolla'

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
      ['TIT2', 1, utf16(`${TITLE}\0second`)],
    ]),
  ],
  [
    '2.2 in Latin-1',
    tagOf(2, [
      ['TP1', 0, Buffer.from(ARTIST, 'latin1')],
      ['TT2', 0, Buffer.from(`${TITLE}\0`, 'latin1')],
    ]),
  ],
])('reads a tag of version %s', (_version, tag) => {
  expect(readId3(tag)).toEqual({ artist: ARTIST, title: TITLE })
})

test('reads what there is of broken tags', () => {
  const tag = id3v2({ artist: ARTIST, title: TITLE })
  expect(readId3(tag.subarray(0, -3))).toEqual({ artist: '', title: TITLE })
  for (let length = 0; length < tag.length; length++) readId3(tag.subarray(0, length))
  expect(readId3(Buffer.from('ID3\x09\0\0\0\0\0\x7f'))).toEqual({ artist: '', title: '' })
})

test('a parser keeps the tags before the first frame, however they are split', () => {
  const tag = id3v2({ artist: ARTIST, title: TITLE })
  const bytes = Buffer.concat([
    tag,
    ...framesOf({ seconds: 0.2 }),
    id3v2({ title: 'later' }),
    ...framesOf({ seconds: 0.2 }),
  ])
  for (const size of [1, 7, 1000]) {
    const parser = createAudioParser('audio/mpeg')
    for (let at = 0; at < bytes.length; at += size) parser?.push(bytes.subarray(at, at + size))
    expect(parser?.leadingTags().equals(tag)).toBe(true)
  }
})
