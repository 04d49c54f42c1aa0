import { expect, test } from 'vitest'
import { createArchiveLists } from '#server/features/radio/record/archive/lists.ts'
import { RadioUnavailable } from '#server/features/radio/types.ts'
import { type Broadcast, summarise } from '#src/contract/archive.ts'
import { createDeferred } from '#tests/helpers/deferred.ts'

const show = (day: number, minutes: number | null, size = 100): Broadcast => ({
  id: day,
  title: null,
  timestampStart: new Date(Date.UTC(2026, 10, day, 20)).toISOString(),
  timestampEnd: minutes === null ? null : new Date(Date.UTC(2026, 10, day, 20, minutes)).toISOString(),
  recording: { size },
})

/** Lists of two streamers; `asked` collects whose broadcasts were read. */
function start(pauseMs: number, broadcasts: () => Promise<Broadcast[]> = async () => [show(1, 10)]) {
  const asked: number[] = []
  let time = 0
  const lists = createArchiveLists({
    source: {
      streamers: async () =>
        [1, 2].map((id) => ({ id, streamer_username: `dj${id}`, display_name: '', comments: null })),
      broadcasts: async (_stationId, streamerId) => {
        asked.push(streamerId)
        return broadcasts()
      },
    },
    recordings: null,
    assertStation: async () => {},
    readNowPlaying: () => expect.unreachable(),
    pauseMs,
    now: () => new Date(time),
  })
  return { lists, asked, pass: (ms: number) => (time += ms) }
}

test('summarises completed broadcasts only', () => {
  expect(summarise([show(3, 10), show(9, null), show(5, 20)])).toEqual({
    count: 2,
    latest: '2026-11-05T20:00:00.000Z',
    seconds: 1800,
    bytes: 200,
  })
  expect(summarise([])).toEqual({ count: 0, latest: null, seconds: 0, bytes: 0 })
})

test('reads missing lists once, and old ones again', async () => {
  const { lists, asked, pass } = start(0)
  expect(await lists.summaries(1)).toMatchObject({ 1: { count: 1 }, 2: { count: 1 } })
  await lists.summaries(1)
  expect(await lists.latestOfSource(1)).toMatchObject([{ streamer: { id: 1 } }, { streamer: { id: 2 } }])
  expect(asked).toEqual([1, 2])
  pass(11 * 60_000)
  await lists.summaries(1)
  expect(asked).toEqual([1, 2, 1, 2])
})

test('pauses between requests to a service, and does not wait for them', async () => {
  const answered = createDeferred()
  const { lists, asked } = start(60_000, () => answered.promise.then(() => [show(1, 10)]))
  expect(await lists.summaries(1)).toEqual({})
  answered.resolve()
  await expect.poll(() => lists.summaries(1)).toMatchObject({ 1: { count: 1 } })
  expect(asked).toEqual([1])
  lists.close()
})

test('returns what it knows if the radio does not answer', async () => {
  let isDown = true
  const { lists, asked, pass } = start(0, async () => {
    if (isDown) throw new RadioUnavailable('no answer')
    return [show(1, 10)]
  })
  expect(await lists.summaries(1)).toEqual({})
  expect(asked).toEqual([1])
  isDown = false
  pass(3_000)
  const known = await lists.summaries(1)
  expect(known).toMatchObject({ 1: { count: 1 }, 2: { count: 1 } })
  isDown = true
  pass(11 * 60_000)
  expect(await lists.summaries(1)).toEqual(known)
})
