import { mkdir, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createIcyDemuxer, METADATA_INTERVAL } from '#server/features/radio/output/relay/icy.ts'
import { mp3 } from '#tests/helpers/mp3.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const FRAME_BYTES = 418
const SECONDS = 11

let site: TestSite
let port: number
beforeAll(async () => {
  site = await startSite()
  const folder = join(site.dataDir, 'radio')
  await mkdir(folder, { recursive: true })
  for (const track of [1, 2, 3]) {
    const tags = { artist: 'Artist', title: String(track) }
    await writeFile(join(folder, `${track}.mp3`), mp3({ seconds: 3, track, tags }))
  }
  await site.app.listen({ host: '127.0.0.1', port: 0 })
  port = (site.app.server.address() as AddressInfo).port
})
afterAll(() => site.close())

/** Returns the titles and the tracks of a stream, by the position in its sound. */
async function listen(): Promise<{ titles: { at: number; title: string }[]; tracks: { at: number; track: number }[] }> {
  const socket = connect(port, '127.0.0.1')
  socket.write('GET /radio/1/stream HTTP/1.0\r\nIcy-MetaData: 1\r\n\r\n')
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of socket) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > SECONDS * 16_000) break
  }
  const all = Buffer.concat(chunks)
  const titles: { at: number; title: string }[] = []
  let length = 0
  const demuxer = createIcyDemuxer(METADATA_INTERVAL, (title) => titles.push({ at: length, title }))
  const sound: Buffer[] = []
  for (const byte of all.subarray(all.indexOf('\r\n\r\n') + 4)) {
    sound.push(...demuxer.push(Buffer.of(byte)))
    length = sound.length
  }
  const audio = Buffer.concat(sound)
  const tracks: { at: number; track: number }[] = []
  for (let at = 0; at + FRAME_BYTES < audio.length; ) {
    const frameBytes = 417 + (((audio[at + 2] ?? 0) >> 1) & 1)
    const track = audio[at + frameBytes - 5] ?? 0
    if (tracks.at(-1)?.track !== track) tracks.push({ at, track })
    at += frameBytes
  }
  return { titles, tracks }
}

test('titles change with the sound, at the next block of metadata', async () => {
  const { titles, tracks } = await listen()
  expect(tracks.length).toBeGreaterThan(3)
  // A block names the track that it follows: one that ended before the next block is never named.
  const expected = new Map(
    tracks.map(({ at, track }) => {
      const block = Math.ceil((at + 1) / METADATA_INTERVAL) * METADATA_INTERVAL
      return [block, { at: block, title: `Artist - ${track}` }]
    }),
  )
  const last = titles.at(-1)?.at ?? 0
  expect(titles).toEqual([...expected.values()].filter(({ at }) => at <= last))
})
