import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { OpenBroadcast } from '#server/features/radio/broadcastRows.ts'
import { createDeferred } from '#tests/helpers/deferred.ts'
import { createLiveSite, frames, now, openRow, show } from '#tests/helpers/liveSite.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-25T20:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

test('a broadcast whose source sends its first sound late shows that it is alive', async () => {
  const rows: OpenBroadcast[] = []
  const { connect } = createLiveSite(rows)
  const ann = await connect('ann', { sound: Buffer.alloc(0) })
  await vi.advanceTimersByTimeAsync(12_000)
  await ann.send(frames(1))
  const [row] = rows
  await vi.advanceTimersByTimeAsync(5_000)
  expect(row?.aliveAt).not.toEqual(row?.startedAt)
})

test('closing does not wait for a database that does not answer', async () => {
  const { connect, live, state } = createLiveSite()
  state.isDown = true
  await connect('ann')
  let isClosed = false
  void live.close().then(() => {
    isClosed = true
  })
  await vi.advanceTimersByTimeAsync(100)
  expect(isClosed).toBe(true)
})

test('a broadcast gets its row when the database answers again', async () => {
  const { connect, events, state, live } = createLiveSite()
  state.isDown = true
  await connect('ann')
  expect(events).toEqual([])
  // Listeners hear the source all the same, and see who it is.
  expect([live.sound.state(), live.playing()]).toMatchObject([{ isConnected: true }, { streamer: 'ann' }])
  state.isDown = false
  await vi.advanceTimersByTimeAsync(5_000)
  expect(events).toEqual(['start 101 ann'])
})

test('a broadcast that ended before it got its row is not continued', async () => {
  const { connect, events, state, shows, ended } = createLiveSite()
  state.isDown = true
  await connect('ann')
  shows.set('ann', show(7))
  await vi.advanceTimersByTimeAsync(5_000)
  const endedAt = now()
  state.isDown = false
  await vi.advanceTimersByTimeAsync(5_000)
  expect(events).toEqual(['start 101 ann', 'end 101 ann', 'start 102 ann'])
  expect(ended).toEqual([{ id: 101, endedAt }])
})

test('a broadcast goes on within a minute of a restart, and ends with its last sign of life', async () => {
  const alive = new Date(Date.now() - 20_000)
  const row = {
    showId: 3,
    title: 'Show 3',
    startedAt: new Date(Date.now() - 600_000),
    type: 'audio/mpeg',
    seconds: 0,
    aliveAt: alive,
    isForced: false,
  }
  const rows = [
    { ...row, id: 9, userId: 'ann' },
    { ...row, id: 8, userId: null },
  ]
  const resumed = createLiveSite(structuredClone(rows))
  resumed.live.recover()
  await vi.advanceTimersByTimeAsync(59_000)
  await resumed.connect('ann')
  expect(resumed.events).toEqual(['start 9 ann', 'resume 9 ann'])
  expect(resumed.live.onAir(1)).toMatchObject({ showId: 3, startedAt: row.startedAt })
  expect(resumed.ended).toEqual([{ id: 8, endedAt: alive }])

  const abandoned = createLiveSite(rows)
  abandoned.live.recover()
  await vi.advanceTimersByTimeAsync(61_000)
  expect(abandoned.ended.map(({ id }) => id)).toEqual([9, 8])
  await abandoned.connect('ann')
  expect(abandoned.events).toEqual(['start 101 ann'])
})

test('closing leaves the broadcast open for the next process', async () => {
  const { connect, events, ended, live } = createLiveSite()
  const ann = await connect('ann')
  void live.close()
  await ann.closed
  expect(events).toEqual(['start 101 ann', 'interrupt 101 ann'])
  expect(ended).toEqual([])
})

test('a show does not take the place of an admin’s choice while its broadcast is looked up after a restart', async () => {
  const { live, shows, connect, states, events, state } = createLiveSite([openRow(9, 'bob', true)])
  live.recover()
  shows.set('ann', show(1))
  await connect('ann')
  await vi.advanceTimersByTimeAsync(3000)
  const { promise, resolve } = createDeferred<void>()
  state.refreshed = promise
  await connect('bob')
  await vi.advanceTimersByTimeAsync(4000)
  expect(states()).toEqual(['ann standby', 'bob on-air'])
  resolve()
  await vi.advanceTimersByTimeAsync(6000)
  expect(states()).toEqual(['ann standby', 'bob on-air'])
  expect(events).toEqual(['start 9 bob', 'resume 9 bob'])
})

test('an admin’s choice goes before shows also after a restart', async () => {
  const rows: OpenBroadcast[] = []
  const before = createLiveSite(rows)
  await before.connect('ann')
  await before.connect('bob')
  before.live.takeOver(before.idOf('bob'))
  await vi.advanceTimersByTimeAsync(0)
  expect(rows.map(({ userId, isForced }) => [userId, isForced])).toEqual([
    ['ann', false],
    ['bob', true],
  ])
  // Each show is a broadcast of its own.
  before.shows.set('bob', show(2))
  await vi.advanceTimersByTimeAsync(5000)
  expect(rows.at(-1)).toMatchObject({ userId: 'bob', showId: 2, isForced: true })

  const { live, shows, connect, states, events } = createLiveSite([openRow(9, 'bob', true)])
  live.recover()
  shows.set('ann', show(1))
  await connect('ann')
  await vi.advanceTimersByTimeAsync(3000)
  expect(states()).toEqual(['ann standby'])
  await connect('bob')
  await vi.advanceTimersByTimeAsync(6000)
  expect(states()).toEqual(['ann standby', 'bob on-air'])
  expect(events).toEqual(['start 9 bob', 'resume 9 bob'])
})

test('after a restart, others stand by until the streamer who was on air is back, at most ten seconds', async () => {
  const restarted = createLiveSite([openRow(9, 'ann')])
  restarted.live.recover()
  await restarted.connect('bob')
  await vi.advanceTimersByTimeAsync(3000)
  expect(restarted.states()).toEqual(['bob standby'])
  await restarted.connect('ann')
  expect(restarted.states()).toEqual(['bob standby', 'ann on-air'])
  expect(restarted.events).toEqual(['start 9 ann', 'resume 9 ann'])

  const alone = createLiveSite([openRow(9, 'ann')])
  alone.live.recover()
  const bob = await alone.connect('bob')
  await vi.advanceTimersByTimeAsync(9000)
  expect(alone.states()).toEqual(['bob standby'])
  await vi.advanceTimersByTimeAsync(1000)
  await bob.send(frames(1))
  expect(alone.states()).toEqual(['bob on-air'])
})

test('a process that loses the sources disconnects all, and their broadcast can go on for a minute', async () => {
  const rows: OpenBroadcast[] = []
  const { connect, events, ended, live, state } = createLiveSite(rows)
  const sources = [await connect('ann'), await connect('bob'), await connect('eve', { sound: Buffer.alloc(0) })]
  const { promise: refreshed, resolve } = createDeferred()
  state.refreshed = refreshed
  await vi.advanceTimersByTimeAsync(10_000)
  live.abandon()
  expect(sources.map(({ isEnded }) => isEnded())).toEqual([true, true, true])
  await Promise.all(sources.map(({ closed }) => closed))
  expect([live.sources(), live.onAir(1)]).toEqual([[], null])
  // The refreshes of before reach the database late.
  await vi.advanceTimersByTimeAsync(1000)
  resolve()
  expect(events).toEqual(['start 101 ann', 'interrupt 101 ann', 'end 101 ann'])
  await vi.advanceTimersByTimeAsync(59_000)
  expect(ended).toEqual([])
  await vi.advanceTimersByTimeAsync(1100)
  expect(ended).toEqual([{ id: 101, endedAt: rows[0]?.aliveAt }])
})

test('a process that has lost the sources does not end a broadcast that another one continues', async () => {
  const rows: OpenBroadcast[] = []
  const { connect, events, ended, live, state } = createLiveSite(rows)
  await (await connect('ann')).stop()
  state.isDown = true
  await vi.advanceTimersByTimeAsync(12_000)
  expect(events.at(-1)).toBe('end 101 ann')
  live.abandon()
  state.isDown = false
  await vi.advanceTimersByTimeAsync(30_000)
  for (const row of rows) row.aliveAt = now()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(ended).toEqual([])
})

test('a process that loses the sources before a broadcast has its row leaves those of another one alone', async () => {
  const rows: OpenBroadcast[] = []
  const { connect, events, ended, live, state } = createLiveSite(rows)
  state.isDown = true
  await connect('ann')
  live.abandon()
  const other = openRow(9, 'ann')
  rows.push(other)
  state.isDown = false
  await vi.advanceTimersByTimeAsync(5_000)
  expect(events).toEqual(['start 101 ann', 'interrupt 101 ann', 'end 101 ann'])
  other.aliveAt = new Date(Date.now() + 10_000)
  await vi.advanceTimersByTimeAsync(65_000)
  expect(ended.map(({ id }) => id)).toEqual([101])
})
