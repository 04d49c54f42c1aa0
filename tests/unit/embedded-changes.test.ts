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
  const { dir, source, clock, warnings } = kept(musicStation())
  const playing = await source.nowPlaying(1)
  put(dir, 'a-new.mp3', mp3({ seconds: 30, track: 4 }))
  put(dir, '0.mp3', mp3({ seconds: 20, track: 5 }))
  put(dir, 'no music.mp3', 'x')
  clock.ms += 61_000
  const before = await source.nowPlaying(1)
  // the scan in the background is over
  await expect.poll(() => warnings).toHaveLength(1)
  const after = await source.nowPlaying(1)
  expect(after.song).toEqual(before.song)
  expect(after.elapsed).toBeCloseTo(before.elapsed, 5)
  clock.ms += (after.duration - after.elapsed + 1) * 1000
  const next = await source.nowPlaying(1)
  expect([playing.history.length, after.history.length, next.history.length]).toEqual([2, 2, 4])
})

test('joins the ring with a new track when the current track ends, and plays whole tracks from then on', async () => {
  const { dir, listen, source } = kept(musicStation())
  await source.nowPlaying(1)
  put(dir, 'b.mp3', mp3({ seconds: 11, track: 4 }))
  const marks = (await listen(400)).flatMap(marksIn)
  const starts = marks.flatMap(({ track, frame }, index) => {
    const before = marks[index - 1]
    if (before?.track === track) expect(frame).toBe(before.frame + 1)
    return before?.track === track ? [] : { track, frame }
  })
  const orderOf = (some: typeof starts) => some.map(({ track }) => track).join('')
  // The clock can be within a track then.
  const joins = starts.flatMap(({ frame }, index) => (index > 0 && frame > 0 ? index : []))
  expect(joins.length).toBeLessThanOrEqual(1)
  const join = joins[0] ?? starts.findIndex(({ track }) => track === 4)
  expect('123'.repeat(20)).toContain(orderOf(starts.slice(0, join)))
  // The new track 4 (b.mp3) plays before track 2 (b/second song.mp3).
  expect('1423'.repeat(20)).toContain(orderOf(starts.slice(join)))
  expect(orderOf(starts).match(/4/g)?.length).toBeGreaterThanOrEqual(2)
})

test('plays music that replaces the demo track', async () => {
  const { dir, source, clock } = kept(openStation())
  expect((await source.nowPlaying(1)).song).toMatchObject({ title: 'Carrier Wave', artist: 'DTP' })
  put(dir, 'own.mp3', mp3({ seconds: 30 }))
  clock.ms += 61_000
  await expect.poll(async () => (await source.nowPlaying(1)).song?.title).toBe('own')
})
