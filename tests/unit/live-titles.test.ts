import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { oggSound, vorbisHead } from '#tests/helpers/audioFrames.ts'
import { createLiveSite, frames, now, openRow } from '#tests/helpers/liveSite.ts'
import { id3v2 } from '#tests/helpers/mp3.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-25T20:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

test('a source that sends a link with only a header first goes on air with the header of the next link', async () => {
  const { connect, live, states } = createLiveSite()
  const link = [...vorbisHead(), ...oggSound(2)]
  const sound = Buffer.concat([...vorbisHead({ serial: 9, endsStream: true }), ...link])
  await connect('ann', { sound, type: 'application/ogg' })
  await expect.poll(states).toEqual(['ann on-air'])
  const heard: Buffer[] = []
  live.sound.observe((change) => {
    if (change.kind === 'frames') heard.push(...change.frames.map(({ bytes }) => bytes))
  })
  expect(Buffer.concat(heard).equals(Buffer.concat(link))).toBe(true)
})

test('a title that arrives before the first sound is kept for its source', async () => {
  const { connect, live } = createLiveSite()
  const titles: string[] = []
  live.observe({ onTitle: (_broadcast, { title }) => void titles.push(title) })
  const ann = await connect('ann', { sound: Buffer.alloc(0) })
  expect(live.setTitle('ann', '/other', { artist: '', title: 'Early' })).toBe(true)
  expect(live.setTitle('bob', '/live', { artist: '', title: 'None' })).toBe(false)
  expect(live.sources()).toEqual([])
  await ann.send(frames(1))
  expect([titles, live.sources().map(({ title }) => title)]).toEqual([['Early'], [{ artist: '', title: 'Early' }]])
})

test('a title that arrives while a streamer connects again is kept for the new connection', async () => {
  const { connect, live } = createLiveSite()
  await connect('ann')
  const second = await connect('ann', { sound: Buffer.alloc(0) })
  live.setTitle('ann', '/live', { artist: '', title: 'Second' })
  await second.send(frames(1))
  expect(live.sources().map(({ title }) => title?.title)).toEqual(['Second'])
})

test('a title that a program sends again after it has connected again is no new track', async () => {
  const { connect, live } = createLiveSite()
  const titles: string[] = []
  live.observe({ onTitle: (_broadcast, { title }) => void titles.push(title) })
  const say = (title: string) => live.setTitle('ann', '/live', { artist: '', title })
  const first = await connect('ann')
  say('One')
  await vi.advanceTimersByTimeAsync(5000)
  const since = live.playing()?.since
  await first.stop()
  const second = await connect('ann')
  say('One')
  // While the old connection hangs.
  await connect('ann')
  say('One')
  expect(live.playing()).toMatchObject({ title: { title: 'One' }, since, history: [] })
  say('Two')
  say('One')
  await second.stop()
  expect(titles).toEqual(['One', 'Two', 'One'])
  expect(live.playing()?.history.map(({ title }) => title.title)).toEqual(['Two', 'One'])
})

test('tags in front of the sound name the title, unless the program has named one', async () => {
  const tag = id3v2({ artist: 'Björk', title: 'Jóga' })
  const sound = Buffer.concat([tag, frames(1)])
  const { connect, live } = createLiveSite()
  const titles = () => live.sources().map(({ title }) => title?.title)
  const shown = new Set<string | undefined>()
  live.onChange(() => shown.add(live.playing()?.title.title))
  const ann = await connect('ann', { sound: sound.subarray(0, 20) })
  await ann.send(sound.subarray(20))
  await expect.poll(titles).toEqual(['Jóga'])
  expect([...shown]).toEqual(['Jóga'])
  const bob = await connect('bob', { sound: sound.subarray(0, 20) })
  live.setTitle('bob', '/live', { artist: '', title: 'Named' })
  await bob.send(sound.subarray(20))
  // The tags of a third source are read after those of the second.
  await connect('eve', { sound: Buffer.concat([id3v2({ title: 'Later' }), frames(1)]) })
  await expect.poll(titles).toEqual(['Jóga', 'Named', 'Later'])
})

test('the titles from before a restart stay until the program names another one', async () => {
  const tracks = [
    { seconds: 60, artist: 'B', title: 'Two' },
    { seconds: 0, artist: 'A', title: 'One' },
  ]
  // Ten minutes of the broadcast were silence, which the recording does not have.
  const startedAt = new Date(now().getTime() - 700_000)
  const row = { ...openRow(9, 'ann'), startedAt, seconds: 90 }
  const { connect, live } = createLiveSite([{ ...row }], tracks)
  const titles: string[] = []
  live.observe({ onTitle: (_broadcast, { title }) => void titles.push(title) })
  const begin = now().getTime() - 90_000
  await vi.advanceTimersByTimeAsync(20_000)
  live.recover()
  await connect('ann')
  const two = { title: { artist: 'B', title: 'Two' }, at: new Date(begin + 60_000) }
  const one = { title: { artist: 'A', title: 'One' }, at: new Date(begin) }
  expect(live.playing()).toMatchObject({ title: two.title, since: two.at, history: [one] })
  expect(live.sources()).toMatchObject([{ title: two.title }])
  live.setTitle('ann', '/live', two.title)
  live.setTitle('ann', '/live', { artist: '', title: 'Three' })
  expect(live.playing()).toMatchObject({ title: { title: 'Three' }, history: [two, one] })
  expect(titles).toEqual(['Three'])

  const early = createLiveSite([{ ...row }], tracks)
  early.live.recover()
  const ann = await early.connect('ann', { sound: Buffer.alloc(0) })
  early.live.setTitle('ann', '/live', { artist: '', title: 'Three' })
  await ann.send(frames(1))
  expect(early.live.playing()).toMatchObject({ title: { title: 'Three' }, history: [two, one] })
})
