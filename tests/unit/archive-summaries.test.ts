import { expect, test } from 'vitest'
import { createSummaries } from '#server/features/radio/record/archive/summaries.ts'
import { type Broadcast, type Streamer, summarise } from '#src/contract/archive.ts'
import { createDeferred } from '#tests/helpers/deferred.ts'

const show = (day: number, minutes: number | null, size = 100): Broadcast => ({
  id: day,
  title: null,
  timestampStart: new Date(Date.UTC(2026, 10, day, 20)).toISOString(),
  timestampEnd: minutes === null ? null : new Date(Date.UTC(2026, 10, day, 20, minutes)).toISOString(),
  recording: { size },
})

const streamers = [1, 2].map((id): Streamer => ({ id, streamer_username: '', display_name: '', comments: null }))

/** Summaries of two streamers; `asked` collects whose broadcasts were read. */
function start(pauseMs: number, broadcasts: () => Promise<Broadcast[]> = async () => [show(1, 10)]) {
  const asked: number[] = []
  let time = 0
  const summaries = createSummaries({
    listStreamers: async () => streamers,
    listBroadcasts: async (stationId, streamerId) => {
      asked.push(streamerId)
      const list = await broadcasts()
      summaries.record(stationId, streamerId, list)
      return list
    },
    pauseMs,
    now: () => new Date(time),
  })
  return { summaries, asked, pass: (ms: number) => (time += ms) }
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

test('reads missing summaries once, and old ones again', async () => {
  const { summaries, asked, pass } = start(0)
  expect(await summaries.read(1)).toMatchObject({ 1: { count: 1 }, 2: { count: 1 } })
  await summaries.read(1)
  expect(asked).toEqual([1, 2])
  pass(11 * 60_000)
  await summaries.read(1)
  expect(asked).toEqual([1, 2, 1, 2])
})

test('pauses between requests to a service, and does not wait for them', async () => {
  const answered = createDeferred()
  const { summaries, asked } = start(60_000, () => answered.promise.then(() => [show(1, 10)]))
  expect(await summaries.read(1)).toEqual({})
  answered.resolve()
  await expect.poll(() => summaries.read(1)).toMatchObject({ 1: { count: 1 } })
  expect(asked).toEqual([1])
  summaries.close()
})

test('returns what it knows if the radio does not answer', async () => {
  const { summaries, asked } = start(0, () => Promise.reject(new Error('no answer')))
  expect(await summaries.read(1)).toEqual({})
  expect(asked).toEqual([1])
})
