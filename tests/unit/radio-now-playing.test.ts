import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { errors } from '#server/core/errors.ts'
import { createNowPlaying } from '#server/features/radio/output/nowPlaying.ts'
import { createResponseCache } from '#server/features/radio/responseCache.ts'
import { RadioUnavailable, type SourceNowPlaying } from '#server/features/radio/types.ts'
import type { RadioEvent } from '#src/contract/events.ts'
import { refusal } from '#src/contract/refusal.ts'
import { createDeferred } from '#tests/helpers/deferred.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const now = () => new Date()
const song = (title: string) => ({ title, artist: 'Artist', album: 'Album', art: 'http://inside/art.jpg' })
const createNowPlayingAnswer = (change: Partial<SourceNowPlaying> = {}): SourceNowPlaying => ({
  song: song('One'),
  elapsed: 20,
  duration: 180,
  listeners: { current: 5, peak: null },
  live: { isLive: false, streamer: '' },
  history: [],
  ...change,
})

/** Creates a station. The test controls its source, listeners and event hub. */
function createFixture() {
  const events: RadioEvent[] = []
  const requestTimes: number[] = []
  const fixture = {
    answer: async (): Promise<SourceNowPlaying> => createNowPlayingAnswer(),
    listeners: 0,
    hasSubscribers: false,
    asked: requestTimes,
    pushed: events,
    titles: () => events.map(({ change }) => change.nowPlaying.song.title),
  }
  const radio = createNowPlaying({
    source: {
      nowPlaying: (id) => {
        requestTimes.push(Date.now())
        return id === 1 ? fixture.answer() : Promise.reject(errors.notFound(refusal('radio.stationNotFound')))
      },
    },
    listeners: () => fixture.listeners,
    eventHub: {
      hasSubscribers: (topic) => fixture.hasSubscribers && topic === 'radio:1',
      broadcast: (event) => events.push(event),
    },
    artPath: (reference) => reference && '/api/radio/art/key',
    now,
  })
  return { ...radio, fixture }
}
const failUnavailable = async () => {
  throw new RadioUnavailable('down')
}

test('serves all clients from one answer, with advancing times', async () => {
  const { read, fixture } = createFixture()
  const both = await Promise.all([read(1), read(1)])
  expect(both[0]).toEqual({
    song: { title: 'One', artist: 'Artist', album: 'Album', art: '/api/radio/art/key' },
    elapsed: 20,
    duration: 180,
    listeners: { current: 5, peak: 5 },
    live: { isLive: false, streamer: '' },
    isRequest: false,
    history: [],
    online: true,
    available: true,
  })
  vi.setSystemTime(Date.now() + 9_900)
  expect((await read(1)).elapsed).toBe(29)
  expect(fixture.asked).toHaveLength(1)
  vi.setSystemTime(Date.now() + 200)
  expect((await read(1)).elapsed).toBe(20)
  expect(fixture.asked).toHaveLength(2)
})

test('limits the elapsed time to the duration, except for live shows', async () => {
  const { read, fixture } = createFixture()
  fixture.answer = async () => createNowPlayingAnswer({ elapsed: 178 })
  await read(1)
  vi.setSystemTime(Date.now() + 9_000)
  expect((await read(1)).elapsed).toBe(180)
  fixture.answer = async () => createNowPlayingAnswer({ elapsed: 178, duration: 0 })
  vi.setSystemTime(Date.now() + 9_000)
  await read(1)
  vi.setSystemTime(Date.now() + 9_000)
  expect((await read(1)).elapsed).toBe(187)
})

test('returns the placeholder while the service is down, and retries after ten seconds', async () => {
  const { read, fixture } = createFixture()
  fixture.answer = failUnavailable
  const placeholder = {
    song: { title: 'Unknown', artist: 'Unknown', album: 'Unknown', art: null },
    elapsed: 0,
    duration: 0,
    listeners: { current: 0, peak: 0 },
    online: false,
    available: false,
  }
  expect(await read(1)).toMatchObject(placeholder)
  fixture.answer = async () => createNowPlayingAnswer()
  vi.setSystemTime(Date.now() + 9_900)
  expect(await read(1)).toMatchObject(placeholder)
  expect(fixture.asked).toHaveLength(1)
  vi.setSystemTime(Date.now() + 200)
  expect(await read(1)).toMatchObject({ available: true, song: { title: 'One' } })
})

test('does not serve an old answer while the service is down', async () => {
  const { read, fixture } = createFixture()
  await read(1)
  fixture.answer = failUnavailable
  vi.setSystemTime(Date.now() + 10_000)
  expect((await read(1)).available).toBe(false)
})

test('reports a station that is off air', async () => {
  const { read, fixture } = createFixture()
  fixture.answer = async () => createNowPlayingAnswer({ song: null, elapsed: 9, listeners: { current: 0, peak: null } })
  expect(await read(1)).toMatchObject({
    song: { title: 'Unknown', artist: 'Unknown', album: 'Unknown', art: null },
    elapsed: 0,
    duration: 0,
    online: false,
    available: true,
  })
})

test('rejects an unknown station', async () => {
  await expect(createFixture().read(2)).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'Station not found' })
})

test('polls every ten seconds only while someone listens or subscribes', async () => {
  const { read, fixture } = createFixture()
  await read(1)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(fixture.asked).toHaveLength(1)

  fixture.hasSubscribers = true
  await read(1)
  await vi.advanceTimersByTimeAsync(61_000)
  expect(fixture.asked).toHaveLength(8)
  expect(fixture.pushed).toHaveLength(7)
  fixture.hasSubscribers = false
  fixture.listeners = 1
  await vi.advanceTimersByTimeAsync(30_000)
  expect(fixture.asked).toHaveLength(11)
  expect(fixture.pushed).toHaveLength(7)
  fixture.listeners = 0
  await vi.advanceTimersByTimeAsync(60_000)
  expect(fixture.asked).toHaveLength(11)
  const gaps = fixture.asked.slice(1).map((at, index) => at - (fixture.asked[index] ?? 0))
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(10_000)
})

test('publishes a failure and a recovery within ten seconds each', async () => {
  const { read, fixture } = createFixture()
  fixture.hasSubscribers = true
  await read(1)
  fixture.answer = failUnavailable
  await vi.advanceTimersByTimeAsync(10_100)
  fixture.answer = async () => createNowPlayingAnswer({ song: song('Two') })
  await vi.advanceTimersByTimeAsync(10_100)
  expect(fixture.titles()).toEqual(['One', 'Unknown', 'Two'])
})

test('sends one request to a slow service and polls again after its answer', async () => {
  const { read, fixture } = createFixture()
  fixture.hasSubscribers = true
  const answer = createDeferred<never>()
  fixture.answer = () => answer.promise
  const waiting = read(1)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(fixture.asked).toHaveLength(1)
  answer.reject(new RadioUnavailable('slow'))
  expect((await waiting).available).toBe(false)
})

test('polls ten seconds after a slow failure', async () => {
  const { read, fixture } = createFixture()
  fixture.hasSubscribers = true
  fixture.answer = () =>
    new Promise((_resolve, reject) => {
      setTimeout(() => reject(new RadioUnavailable('slow')), 4_000)
    })
  const waiting = read(1)
  await vi.advanceTimersByTimeAsync(4_000)
  expect((await waiting).available).toBe(false)
  fixture.answer = async () => createNowPlayingAnswer()
  await vi.advanceTimersByTimeAsync(9_900)
  expect((await read(1)).available).toBe(false)
  expect(fixture.asked).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(200)
  expect(fixture.titles()).toEqual(['Unknown', 'One'])
  expect(fixture.asked).toHaveLength(2)
})

test('publishes once what the embedded station plays next', async () => {
  const { read, reset, fixture } = createFixture()
  fixture.hasSubscribers = true
  await read(1)
  await vi.advanceTimersByTimeAsync(1)
  fixture.answer = async () => createNowPlayingAnswer({ song: song('Two') })
  reset(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(fixture.titles()).toEqual(['One', 'Two'])
})

test('neither polls nor publishes after close', async () => {
  const { read, close, setStreamTitle, fixture } = createFixture()
  fixture.hasSubscribers = true
  await read(1)
  close()
  setStreamTitle(1, 'Artist - Late')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(fixture.asked).toHaveLength(1)
  expect(fixture.pushed).toEqual([])
})

test('prefers a newer title in the stream', async () => {
  const { read, setStreamTitle, fixture } = createFixture()
  fixture.listeners = 1
  fixture.hasSubscribers = true
  await read(1)
  await vi.advanceTimersByTimeAsync(3_000)
  setStreamTitle(1, 'Other - Two - Live')
  await vi.advanceTimersByTimeAsync(2_500)
  expect(await read(1)).toMatchObject({
    song: { title: 'Two - Live', artist: 'Other', album: '', art: null },
    elapsed: 2,
    duration: 0,
    online: true,
    available: true,
  })
  expect(fixture.titles()).toEqual(['One', 'Two - Live'])
  // The service is ahead of the sound, or the title is stale.
  fixture.answer = async () => createNowPlayingAnswer({ song: song('Three') })
  await vi.advanceTimersByTimeAsync(25_000)
  expect(await read(1)).toMatchObject({ song: { title: 'Two - Live' }, elapsed: 27 })
  await vi.advanceTimersByTimeAsync(5_000)
  expect(await read(1)).toMatchObject({ song: { title: 'Three', art: '/api/radio/art/key' }, duration: 180 })
})

test('keeps the title of the stream while late answers name an earlier song, for 30 seconds', async () => {
  const { read, setStreamTitle, fixture } = createFixture()
  fixture.listeners = 1
  fixture.hasSubscribers = true
  setStreamTitle(1, 'Artist - One')
  await read(1)
  await vi.advanceTimersByTimeAsync(9_000)
  setStreamTitle(1, 'Artist - Jingle')
  await vi.advanceTimersByTimeAsync(500)
  setStreamTitle(1, 'Artist - Two')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(fixture.asked).toHaveLength(2)
  expect(await read(1)).toMatchObject({ song: { title: 'Two', art: null }, elapsed: 1, duration: 0 })
  fixture.answer = async () => createNowPlayingAnswer({ song: song('Jingle') })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await read(1)).toMatchObject({ song: { title: 'Two' }, elapsed: 11 })
  expect(fixture.titles()).not.toContain('Unknown')
  expect(fixture.titles().slice(fixture.titles().indexOf('Two'))).toEqual(['Two', 'Two', 'Two'])
  // The service is right, and the title is stale.
  await vi.advanceTimersByTimeAsync(20_000)
  expect(await read(1)).toMatchObject({ song: { title: 'Jingle', art: '/api/radio/art/key' } })
})

test('does not take a title for newer when the clock is set back', async () => {
  const { read, setStreamTitle, fixture } = createFixture()
  fixture.listeners = 1
  setStreamTitle(1, 'Artist - One')
  setStreamTitle(1, 'Artist - Two')
  expect(await read(1)).toMatchObject({ song: { title: 'Two' } })
  vi.setSystemTime(Date.now() - 3_600_000)
  setStreamTitle(1, 'Artist - Two')
  vi.setSystemTime(Date.now() + 1_000)
  expect(await read(1)).toMatchObject({ song: { title: 'One' } })
})

test('does not take a title for newer when the stream repeats it', async () => {
  const { read, setStreamTitle, fixture } = createFixture()
  fixture.listeners = 1
  setStreamTitle(1, 'The name of the station')
  await read(1)
  await vi.advanceTimersByTimeAsync(5_000)
  setStreamTitle(1, 'The name of the station')
  await vi.advanceTimersByTimeAsync(26_000)
  expect((await read(1)).song.title).toBe('One')
})

test('keeps the title of a stream that runs while the service says that nothing plays', async () => {
  const { read, setStreamTitle, fixture } = createFixture()
  fixture.answer = async () => createNowPlayingAnswer({ song: null })
  fixture.listeners = 1
  setStreamTitle(1, 'Artist - Two')
  for (let poll = 0; poll < 3; poll++) {
    expect(await read(1)).toMatchObject({ song: { title: 'Two' }, elapsed: poll * 11, online: true })
    vi.setSystemTime(Date.now() + 11_000)
  }
  fixture.listeners = 0
  expect(await read(1)).toMatchObject({ song: { title: 'Unknown' }, online: false })
})

test('ignores a title that is empty or equals the current song', async () => {
  const { read, setStreamTitle, fixture } = createFixture()
  fixture.listeners = 1
  await read(1)
  vi.setSystemTime(Date.now() + 1000)
  for (const same of ['ARTIST - one', 'Artist – One', '', '  ']) {
    setStreamTitle(1, same)
    expect(await read(1)).toMatchObject({ song: { art: '/api/radio/art/key' }, elapsed: 21 })
  }
})

test("shows the stream's title while the service is down", async () => {
  const { read, setStreamTitle, fixture } = createFixture()
  fixture.answer = failUnavailable
  fixture.listeners = 1
  setStreamTitle(1, 'Artist - Heard\u0000')
  expect(await read(1)).toMatchObject({
    song: { title: 'Heard', artist: 'Artist', art: null },
    listeners: { current: 0, peak: 0 },
    online: true,
    available: false,
  })
  setStreamTitle(1, 'no separator')
  expect((await read(1)).song).toMatchObject({ title: 'no separator', artist: '' })
  fixture.listeners = 0
  expect((await read(1)).song.title).toBe('Unknown')
})

test("adds the relay's listeners to the count, or uses them as the count", async () => {
  const { read, fixture } = createFixture()
  fixture.listeners = 40
  expect((await read(1)).listeners).toEqual({ current: 44, peak: 44 })
  fixture.listeners = 1
  expect((await read(1)).listeners).toEqual({ current: 5, peak: 44 })
  fixture.answer = async () => createNowPlayingAnswer({ listeners: null })
  fixture.listeners = 3
  vi.setSystemTime(Date.now() + 10_000)
  expect((await read(1)).listeners).toEqual({ current: 3, peak: 44 })
  fixture.answer = async () => createNowPlayingAnswer({ listeners: { current: 2, peak: 100 } })
  vi.setSystemTime(Date.now() + 10_000)
  expect((await read(1)).listeners).toEqual({ current: 4, peak: 100 })
})

test('evicts the least recently used response, and expires responses when the clock is set back', async () => {
  const responses = createResponseCache<number, number>({
    ...{ ttlMs: 1000, failureMs: 100, max: 3 },
    now,
  })
  let requests = 0
  const request = async () => ++requests
  for (const key of [1, 2, 3, 4]) await responses.get(key, request)
  expect((await responses.get(4, request)).value).toBe(4)
  expect((await responses.get(1, request)).value).toBe(5)
  vi.setSystemTime(Date.now() - 5000)
  expect((await responses.get(1, request)).value).toBe(6)
})

test('publishes listener changes at once, then at most every two seconds, and without a request', async () => {
  const { read, publishListenerCount, fixture } = createFixture()
  fixture.answer = async () => createNowPlayingAnswer({ listeners: null })
  fixture.hasSubscribers = true
  await read(1)
  await vi.advanceTimersByTimeAsync(1)
  fixture.pushed.length = 0
  fixture.listeners = 3
  for (let comer = 0; comer < 3; comer++) publishListenerCount(1)
  const pushed = () => fixture.pushed.map(({ change }) => change.nowPlaying.listeners)
  await vi.advanceTimersByTimeAsync(1_900)
  expect(pushed()).toEqual([{ current: 3, peak: 3 }])
  await vi.advanceTimersByTimeAsync(200)
  expect(pushed()).toHaveLength(2)
  fixture.listeners = 2
  publishListenerCount(1)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(fixture.pushed.at(-1)?.change.nowPlaying.listeners).toEqual({ current: 2, peak: 3 })
  expect(fixture.asked).toHaveLength(1)
})

test.each([false, true])('polls for a follower, and tells it what plays; answer kept before: %s', async (isKept) => {
  const { follow, read, reset, fixture } = createFixture()
  if (isKept) await read(1)
  await vi.advanceTimersByTimeAsync(5000)
  const titles: string[] = []
  const unfollow = follow(1, ({ song }) => {
    if (titles.at(-1) !== song.title) titles.push(song.title)
  })
  await vi.advanceTimersByTimeAsync(1)
  expect(titles).toEqual(['One'])
  fixture.answer = async () => createNowPlayingAnswer({ song: song('Two') })
  await vi.advanceTimersByTimeAsync(10_100)
  fixture.answer = async () => createNowPlayingAnswer({ song: song('Three') })
  reset(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(titles).toEqual(['One', 'Two', 'Three'])
  unfollow()
  const { length } = fixture.asked
  await vi.advanceTimersByTimeAsync(60_000)
  expect(fixture.asked.length).toBeLessThanOrEqual(length + 1)
  expect(titles).toHaveLength(3)
})
