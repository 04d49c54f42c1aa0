import { afterEach, expect, test } from 'vitest'
import { musicStation, openStation, put } from '#tests/helpers/embeddedStation.ts'
import { marksIn, mp3 } from '#tests/helpers/mp3.ts'

const opened: { remove(): void }[] = []
afterEach(() => {
  for (const station of opened.splice(0)) station.remove()
})

function kept<T extends { remove(): void }>(opening: T): T {
  opened.push(opening)
  return opening
}

test('finds new music after a minute and continues the current track', async () => {
  const { dir, source, clock } = kept(musicStation())
  const playing = await source.nowPlaying(1)
  put(dir, 'a-new.mp3', mp3({ seconds: 30, track: 4 }))
  put(dir, '0.mp3', mp3({ seconds: 20, track: 5 }))
  clock.ms += 61_000
  const before = await source.nowPlaying(1)
  // waits for the scan in the background
  await expect.poll(async () => (await source.nowPlaying(1)).history.length).toBe(4)
  const after = await source.nowPlaying(1)
  expect(after.song).toEqual(before.song)
  expect(after.elapsed).toBeCloseTo(before.elapsed, 5)
  expect(playing.history).toHaveLength(2)
})

test('plays a new track at its position without a gap', async () => {
  const { dir, listen, source } = kept(musicStation())
  await source.nowPlaying(1)
  put(dir, 'b.mp3', mp3({ seconds: 11, track: 4 }))
  const marks = (await listen(400)).flatMap(marksIn)
  const tracks = marks.filter(({ track }, index) => track !== marks[index - 1]?.track).map(({ track }) => track)
  const order = tracks.join('')
  expect('123'.repeat(20)).toContain(order.slice(0, order.indexOf('4')))
  // the new track 4 (b.mp3) plays before track 2 (b/second song.mp3)
  expect('1423'.repeat(20)).toContain(order.slice(order.indexOf('4')))
  expect(order.match(/4/g)?.length).toBeGreaterThanOrEqual(2)
  for (const [index, { track, frame }] of marks.entries()) {
    const next = marks[index + 1]
    if (next && next.track === track) expect(next.frame).toBe(frame + 1)
    else if (next) expect(next.frame).toBe(0)
  }
})

test('plays music that replaces the demo track', async () => {
  const { dir, source, clock } = kept(openStation())
  expect((await source.nowPlaying(1)).song).toMatchObject({ title: 'Carrier Wave', artist: 'DTP' })
  put(dir, 'own.mp3', mp3({ seconds: 30 }))
  clock.ms += 61_000
  await expect.poll(async () => (await source.nowPlaying(1)).song?.title).toBe('own')
})
