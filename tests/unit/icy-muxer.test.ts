import { expect, it } from 'vitest'
import { createIcyDemuxer, createIcyMuxer, METADATA_INTERVAL } from '#server/features/radio/output/relay/icy.ts'

const sound = (length: number) => Buffer.from(Array.from({ length }, (_, index) => index % 251))

it('inserts a block after each interval, and an empty block while the title stays', () => {
  const mux = createIcyMuxer()
  const audio = sound(2 * METADATA_INTERVAL + 5)
  const text = "StreamTitle='Muxers - Überton';"
  const block = Buffer.alloc(1 + 32)
  block[0] = 2
  block.write(text, 1)
  expect(mux(audio, 'Muxers - Überton')).toEqual(
    Buffer.concat([
      audio.subarray(0, METADATA_INTERVAL),
      block,
      audio.subarray(METADATA_INTERVAL, 2 * METADATA_INTERVAL),
      Buffer.of(0),
      audio.subarray(2 * METADATA_INTERVAL),
    ]),
  )
})

it.each([1, 100, 15_999, 16_000, 16_001, 50_000])('keeps all audio and titles in pieces of %i bytes', (step) => {
  const mux = createIcyMuxer()
  const titles: string[] = []
  const demuxer = createIcyDemuxer(METADATA_INTERVAL, (found) => titles.push(found))
  const audio = sound(6 * METADATA_INTERVAL)
  const heard: Buffer[] = []
  for (let at = 0; at < audio.length; at += step) {
    const title = at < 2 * METADATA_INTERVAL ? 'One - First' : 'Two - Second'
    heard.push(...demuxer.push(mux(audio.subarray(at, at + step), title)))
  }
  expect(Buffer.concat(heard).equals(audio)).toBe(true)
  expect(titles).toEqual(['One - First', 'Two - Second'])
})

it.each([
  ["It's - 'quoted'", "It's - 'quoted'"],
  ["Fake'; StreamUrl='http://evil.example", "Fake’; StreamUrl='http://evil.example"],
  ['𝕏'.repeat(1000), '𝕏'.repeat(125)],
  ['a'.repeat(9000), 'a'.repeat(500)],
])('sends %s as a valid title', (title, expected) => {
  const titles: string[] = []
  const demuxer = createIcyDemuxer(METADATA_INTERVAL, (found) => titles.push(found))
  const mux = createIcyMuxer()
  const heard = [sound(METADATA_INTERVAL), sound(METADATA_INTERVAL)].flatMap((audio) => demuxer.push(mux(audio, title)))
  expect(Buffer.concat(heard).length).toBe(2 * METADATA_INTERVAL)
  expect(titles).toEqual([expected])
})
