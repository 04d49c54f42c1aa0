import { expect, test } from 'vitest'
import { createIcyDemuxer, parseStreamTitle } from '#server/features/radio/output/relay/icy.ts'
import { icyBlocks } from '#tests/helpers/hostileTexts.ts'
import { fc } from '#tests/helpers/property.ts'

const EVERY = 100
const block = (text: string | Buffer) => {
  const bytes = Buffer.from(text as string)
  const padded = Buffer.alloc(Math.ceil(bytes.length / 16) * 16)
  bytes.copy(padded)
  return Buffer.concat([Buffer.from([padded.length / 16]), padded])
}
const title = (text: string) => block(`StreamTitle='${text}';`)
const sound = (pieces: number) => Buffer.from(Array.from({ length: pieces * EVERY }, (_, index) => index % 251))
/** Creates a stream with one metadata block after every hundred bytes of sound. */
const woven = (blocks: Buffer[]) =>
  Buffer.concat(
    blocks.flatMap((one, index) => [sound(blocks.length).subarray(index * EVERY, (index + 1) * EVERY), one]),
  )

function unweave(chunks: Buffer[], every: number | null = EVERY) {
  const titles: string[] = []
  const icy = createIcyDemuxer(every, (one) => titles.push(one))
  const heard = Buffer.concat(chunks.flatMap((chunk) => icy.push(chunk)))
  return { heard, titles }
}

const BLOCKS = [title('one'), Buffer.from([0]), title(''), block("StreamUrl='http://x';"), title('two'.repeat(1000))]

test('separates audio and titles for any chunk sizes', () => {
  const stream = woven(BLOCKS)
  const whole = { heard: sound(5), titles: ['one', '', 'two'.repeat(1000).slice(0, 500)] }
  expect(unweave([stream])).toEqual(whole)
  expect(unweave([...stream].map((byte) => Buffer.from([byte])))).toEqual(whole)
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: stream.length }), { maxLength: 30 }), (places) => {
      const at = [0, ...places.sort((a, b) => a - b), stream.length]
      expect(unweave(at.slice(1).map((end, index) => stream.subarray(at[index], end)))).toEqual(whole)
    }),
  )
})

test('loses and invents no bytes for any input', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 400 })), fc.integer({ min: 1, max: 300 }), (chunks, every) => {
      const bytes = chunks.map((chunk) => Buffer.from(chunk))
      const { heard, titles } = unweave(bytes, every)
      expect(heard.length).toBeLessThanOrEqual(Buffer.concat(bytes).length)
      for (const one of titles) expect(one.length).toBeLessThanOrEqual(500)
    }),
  )
})

test.each([[null], [0], [-5], [Number.NaN], [1.5], [Number.POSITIVE_INFINITY]])(
  'expects no metadata for an interval of %s',
  (every) => {
    const stream = woven(BLOCKS)
    expect(unweave([stream], every)).toEqual({ heard: stream, titles: [] })
  },
)

test('keeps all audio from a server that announces blocks but sends none', () => {
  const stream = Buffer.alloc(20_000, 0xfb)
  expect(unweave([stream])).toEqual({ heard: stream, titles: [] })
})

test.each([
  ["StreamTitle='Plain';", 'Plain'],
  ["StreamTitle='It's; 'quoted'; and';StreamUrl='http://x/?a='b';", "It's; 'quoted'; and"],
  ["StreamTitle='Ends with a quote'';", "Ends with a quote'"],
  ["StreamTitle='No semicolon'", 'No semicolon'],
  ["adw_ad='true';StreamTitle='Behind';", 'Behind'],
  ["StreamTitle='';StreamUrl='';", ''],
  ["StreamTitle='a\0b';", null],
  ["StreamTitle='cut off", null],
  ["StreamUrl='x';", null],
  ['', null],
  ["StreamTitle='\u0001a\n\tb\u007f \u0085c';", 'a b c'],
  ["StreamTitle='<script>alert(1)</script>';", '<script>alert(1)</script>'],
  ["StreamTitle='日本 – Ünïcode 🎵';", '日本 – Ünïcode 🎵'],
  [`StreamTitle='${'🎵'.repeat(900)}';`, '🎵'.repeat(500)],
])('parses the title in %j', (text, expected) => {
  expect(parseStreamTitle(Buffer.concat([Buffer.from(text), Buffer.alloc(7)]))).toBe(expected)
})

test('decodes invalid UTF-8 as Latin-1', () => {
  expect(parseStreamTitle(Buffer.from("StreamTitle='Bj\xf6rk';\0\0", 'latin1'))).toBe('Björk')
})

test.each(Object.entries(icyBlocks))('shortens the title of a block full of %s', (_, create) => {
  expect(parseStreamTitle(Buffer.from(create(4000)))?.length ?? 0).toBeLessThanOrEqual(1000)
})
