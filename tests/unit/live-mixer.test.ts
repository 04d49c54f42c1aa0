import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLiveSite, frames, show } from '#tests/helpers/liveSite.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-25T20:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

test('a source that drops keeps its broadcast for ten seconds', async () => {
  const { connect, events, ended, live } = createLiveSite()
  const first = await connect('ann')
  await first.stop()
  expect(live.sound.state()).toMatchObject({ isConnected: false })
  await vi.advanceTimersByTimeAsync(9_900)
  const second = await connect('ann')
  await second.stop()
  await vi.advanceTimersByTimeAsync(9_900)
  expect(events).toEqual(['start 101 ann', 'interrupt 101 ann', 'resume 101 ann', 'interrupt 101 ann'])
  await vi.advanceTimersByTimeAsync(200)
  expect(events.at(-1)).toBe('end 101 ann')
  expect(ended.map(({ id }) => id)).toEqual([101])
  expect(live.onAir(1)).toBeNull()
})

test('another streamer ends the grace period', async () => {
  const { connect, events } = createLiveSite()
  await (await connect('ann')).stop()
  await connect('bob')
  expect(events).toEqual(['start 101 ann', 'interrupt 101 ann', 'end 101 ann', 'start 102 bob'])
})

test('a second source stands by and takes over by itself', async () => {
  const { connect, events, states } = createLiveSite()
  const ann = await connect('ann')
  await connect('bob')
  await connect('eve', { isTest: true })
  expect(states()).toEqual(['ann on-air', 'bob standby', 'eve testing'])
  await ann.stop()
  expect(states()).toEqual(['bob on-air', 'eve testing'])
  expect(events).toEqual(['start 101 ann', 'end 101 ann', 'start 102 bob'])
})

test('a new connection of a streamer replaces the old one and continues the broadcast', async () => {
  const { connect, events, states, live } = createLiveSite()
  const old = await connect('ann')
  await connect('ann')
  expect([old.isEnded(), states(), events]).toEqual([true, ['ann on-air'], ['start 101 ann']])
  expect(live.sound.state()).toMatchObject({ isConnected: true })
})

test('a streamer goes before others when their show starts, and a new show is a new broadcast', async () => {
  const { connect, events, states, shows, live } = createLiveSite()
  await connect('ann')
  const bob = await connect('bob')
  shows.set('bob', show(7))
  await vi.advanceTimersByTimeAsync(5_000)
  expect(states()).toEqual(['ann standby', 'bob on-air'])
  expect(live.onAir(1)).toMatchObject({ showId: 7, title: 'Show 7' })
  // A show of the other streamer does not interrupt the show on air.
  shows.set('ann', show(8))
  await vi.advanceTimersByTimeAsync(5_000)
  expect(states()).toEqual(['ann standby', 'bob on-air'])
  shows.set('bob', show(9))
  await bob.send(frames(0.2))
  await vi.advanceTimersByTimeAsync(5_000)
  expect(events.slice(2)).toEqual(['start 102 bob', 'end 102 bob', 'start 103 bob'])
})

test('an admin’s choice goes before shows, until it ends', async () => {
  const { connect, states, shows, live, idOf } = createLiveSite()
  shows.set('ann', show(1))
  await connect('ann')
  const bob = await connect('bob')
  live.takeOver(idOf('bob'))
  await vi.advanceTimersByTimeAsync(6_000)
  expect(states()).toEqual(['ann standby', 'bob on-air'])
  await bob.stop()
  expect(states()).toEqual(['ann on-air'])
  await connect('eve', { isTest: true })
  expect(() => live.takeOver(idOf('eve'))).toThrow('never goes on air')
  expect(() => live.takeOver('nobody')).toThrow('not connected')
})

test('disconnecting a source ends its broadcast at once', async () => {
  const { connect, events, live } = createLiveSite()
  const ann = await connect('ann')
  live.disconnectUser('ann')
  await ann.closed
  expect(events).toEqual(['start 101 ann', 'end 101 ann'])
  expect(live.sources()).toEqual([])
})

test('a streamer who is disconnected before the first sound does not go on air with it', async () => {
  const { connect, events, live } = createLiveSite()
  const ann = await connect('ann', { sound: Buffer.alloc(0) })
  live.disconnectUser('ann')
  await ann.send(frames(1))
  expect([ann.isEnded(), events, live.sources()]).toEqual([true, [], []])
})

test('connections of a streamer that send nothing take one place, and one in the level test', async () => {
  const { connect, states } = createLiveSite()
  const test = await connect('ann', { sound: Buffer.alloc(0), isTest: true })
  const silent = []
  for (let count = 0; count < 9; count++) silent.push(await connect('ann', { sound: Buffer.alloc(0) }))
  expect(silent.map(({ isEnded }) => isEnded())).toEqual([...Array(8).fill(true), false])
  await connect('bob')
  expect(states()).toEqual(['bob on-air'])
  await test.send(frames(1))
  await silent.at(-1)?.send(frames(1))
  expect(states()).toEqual(['bob on-air', 'ann testing', 'ann standby'])
})

test('a source without audio for 15 seconds is disconnected', async () => {
  const { connect, states } = createLiveSite()
  await connect('ann')
  await connect('bob', { sound: Buffer.alloc(100) })
  await vi.advanceTimersByTimeAsync(14_000)
  expect(states()).toEqual(['ann on-air'])
  await vi.advanceTimersByTimeAsync(1_100)
  expect(states()).toEqual([])
})
