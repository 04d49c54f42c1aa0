import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { OpenBroadcast } from '#server/features/radio/broadcastRows.ts'
import { createAudioParser } from '#server/features/radio/input/frames/audioParser.ts'
import { createMpegParser } from '#server/features/radio/input/frames/mpeg.ts'
import { createLevelMeter } from '#server/features/radio/input/levelMeter.ts'
import { createLevelHistory, type Level } from '#server/features/radio/input/silence.ts'
import { DEMO_TRACK } from '#server/features/radio/library/library.ts'
import { createAirings } from '#server/features/radio/mix/airing.ts'
import { createLive } from '#server/features/radio/mix/createLive.ts'
import { createMixer } from '#server/features/radio/mix/mixer.ts'
import { createSound } from '#server/features/radio/mix/sound.ts'
import type { LiveSource } from '#server/features/radio/mix/types.ts'
import type { ScheduledShow } from '#server/features/show/service.ts'
import { adtsFrame, oggPage, oggSound, vorbisHead } from '#tests/helpers/audioFrames.ts'
import { createDeferred } from '#tests/helpers/deferred.ts'
import { silence } from '#tests/helpers/endlessSound.ts'
import { framesOf, id3v2 } from '#tests/helpers/mp3.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-25T20:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

const now = () => new Date()
const frames = (seconds: number) => Buffer.concat(framesOf({ seconds }))
const show = (id: number): ScheduledShow => ({ id, title: `Show ${id}`, startsAt: now(), endsAt: now() })

/** A site whose database and schedule the test controls. */
function createSite(open: OpenBroadcast[] = []) {
  const events: string[] = []
  const ended: { id: number; endedAt: Date }[] = []
  const shows = new Map<string, ScheduledShow>()
  const state = { isDown: false, inserted: 0, refreshed: Promise.resolve() }
  const live = createLive({
    maxSources: 8,
    rows: {
      insert: async ({ streamer: { userId }, showId = null, title = null, startedAt, type, isForced = false }) => {
        if (state.isDown) throw new Error('the database does not answer')
        state.inserted += 1
        const id = 100 + state.inserted
        open.push({ id, userId, showId, title, startedAt, type, aliveAt: startedAt, isForced })
        return id
      },
      refresh: async (id) => {
        await state.refreshed
        for (const row of open) if (row.id === id) row.aliveAt = now()
        return true
      },
      force: async (id) => {
        for (const row of open) if (row.id === id) row.isForced = true
      },
      end: async (id, endedAt) => {
        if (state.isDown) throw new Error('the database does not answer')
        ended.push({ id, endedAt })
      },
      listOpen: async () => {
        if (state.isDown) throw new Error('the database does not answer')
        return open.filter(({ id }) => !ended.some((row) => row.id === id))
      },
    },
    findShow: async (userId) => shows.get(userId) ?? null,
    listeners: () => 0,
    log: { info: () => {}, warn: () => {}, error: () => {} },
    now,
  })
  const log = (name: string) => (info: { broadcastId: number; streamer: { name: string } }) =>
    void events.push(`${name} ${info.broadcastId} ${info.streamer.name}`)
  live.observe({ onStart: log('start'), onInterrupt: log('interrupt'), onResume: log('resume'), onEnd: log('end') })

  /** Connects a source that has sent a second of sound. */
  async function connect(name: string, { sound = frames(1), type = 'audio/mpeg', isTest = false } = {}) {
    const pieces: (Buffer | null)[] = [sound]
    let wake = () => {}
    async function* body() {
      for (;;) {
        const piece = pieces.shift()
        if (piece === null) return
        if (piece) yield piece
        else await new Promise<void>((resolve) => (wake = resolve))
      }
    }
    const send = async (piece: Buffer | null) => {
      pieces.push(piece)
      wake()
      await vi.advanceTimersByTimeAsync(0)
    }
    const abort = new AbortController()
    const streamer = { userId: name, name }
    const run = live.accept({ streamer, mount: '/live', isTest, client: '', contentType: type }, abort)
    const closed = run(body()).catch(() => {})
    abort.signal.addEventListener('abort', () => void send(null))
    await vi.advanceTimersByTimeAsync(0)
    return { send, stop: () => send(null), closed, isEnded: () => abort.signal.aborted }
  }
  const states = () => live.sources().map(({ streamer, state }) => `${streamer.name} ${state}`)
  const idOf = (name: string) => live.sources().find(({ streamer }) => streamer.name === name)?.id ?? ''
  return { live, events, ended, shows, state, connect, states, idOf }
}

test('a source that drops keeps its broadcast for ten seconds', async () => {
  const { connect, events, ended, live } = createSite()
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
  const { connect, events } = createSite()
  await (await connect('ann')).stop()
  await connect('bob')
  expect(events).toEqual(['start 101 ann', 'interrupt 101 ann', 'end 101 ann', 'start 102 bob'])
})

test('a second source stands by and takes over by itself', async () => {
  const { connect, events, states } = createSite()
  const ann = await connect('ann')
  await connect('bob')
  await connect('eve', { isTest: true })
  expect(states()).toEqual(['ann on-air', 'bob standby', 'eve testing'])
  await ann.stop()
  expect(states()).toEqual(['bob on-air', 'eve testing'])
  expect(events).toEqual(['start 101 ann', 'end 101 ann', 'start 102 bob'])
})

test('a new connection of a streamer replaces the old one and continues the broadcast', async () => {
  const { connect, events, states, live } = createSite()
  const old = await connect('ann')
  await connect('ann')
  expect([old.isEnded(), states(), events]).toEqual([true, ['ann on-air'], ['start 101 ann']])
  expect(live.sound.state()).toMatchObject({ isConnected: true })
})

test('a streamer goes before others when their show starts, and a new show is a new broadcast', async () => {
  const { connect, events, states, shows, live } = createSite()
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
  const { connect, states, shows, live, idOf } = createSite()
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
  const { connect, events, live } = createSite()
  const ann = await connect('ann')
  live.disconnectUser('ann')
  await ann.closed
  expect(events).toEqual(['start 101 ann', 'end 101 ann'])
  expect(live.sources()).toEqual([])
})

test('a streamer who is disconnected before the first sound does not go on air with it', async () => {
  const { connect, events, live } = createSite()
  const ann = await connect('ann', { sound: Buffer.alloc(0) })
  live.disconnectUser('ann')
  await ann.send(frames(1))
  expect([ann.isEnded(), events, live.sources()]).toEqual([true, [], []])
})

test('connections of a streamer that send nothing take one place, and one in the level test', async () => {
  const { connect, states } = createSite()
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
  const { connect, states } = createSite()
  await connect('ann')
  await connect('bob', { sound: Buffer.alloc(100) })
  await vi.advanceTimersByTimeAsync(14_000)
  expect(states()).toEqual(['ann on-air'])
  await vi.advanceTimersByTimeAsync(1_100)
  expect(states()).toEqual([])
})

test('a broadcast whose source sends its first sound late shows that it is alive', async () => {
  const rows: OpenBroadcast[] = []
  const { connect } = createSite(rows)
  const ann = await connect('ann', { sound: Buffer.alloc(0) })
  await vi.advanceTimersByTimeAsync(12_000)
  await ann.send(frames(1))
  const [row] = rows
  await vi.advanceTimersByTimeAsync(5_000)
  expect(row?.aliveAt).not.toEqual(row?.startedAt)
})

test('closing does not wait for a database that does not answer', async () => {
  const { connect, live, state } = createSite()
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
  const { connect, events, state, live } = createSite()
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
  const { connect, events, state, shows, ended } = createSite()
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
    aliveAt: alive,
    isForced: false,
  }
  const rows = [
    { ...row, id: 9, userId: 'ann' },
    { ...row, id: 8, userId: null },
  ]
  const resumed = createSite(structuredClone(rows))
  resumed.live.recover()
  await vi.advanceTimersByTimeAsync(59_000)
  await resumed.connect('ann')
  expect(resumed.events).toEqual(['start 9 ann', 'resume 9 ann'])
  expect(resumed.live.onAir(1)).toMatchObject({ showId: 3, startedAt: row.startedAt })
  expect(resumed.ended).toEqual([{ id: 8, endedAt: alive }])

  const abandoned = createSite(rows)
  abandoned.live.recover()
  await vi.advanceTimersByTimeAsync(61_000)
  expect(abandoned.ended.map(({ id }) => id)).toEqual([9, 8])
  await abandoned.connect('ann')
  expect(abandoned.events).toEqual(['start 101 ann'])
})

test('closing leaves the broadcast open for the next process', async () => {
  const { connect, events, ended, live } = createSite()
  const ann = await connect('ann')
  void live.close()
  await ann.closed
  expect(events).toEqual(['start 101 ann', 'interrupt 101 ann'])
  expect(ended).toEqual([])
})

const openRow = (id: number, userId: string, isForced = false): OpenBroadcast => ({
  ...{ id, userId, showId: null, title: null, startedAt: now(), type: 'audio/mpeg', aliveAt: now(), isForced },
})

test('a show does not take the place of an admin’s choice while its broadcast is looked up after a restart', async () => {
  const { live, shows, connect, states, events, state } = createSite([openRow(9, 'bob', true)])
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
  const before = createSite(rows)
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

  const { live, shows, connect, states, events } = createSite([openRow(9, 'bob', true)])
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
  const restarted = createSite([openRow(9, 'ann')])
  restarted.live.recover()
  await restarted.connect('bob')
  await vi.advanceTimersByTimeAsync(3000)
  expect(restarted.states()).toEqual(['bob standby'])
  await restarted.connect('ann')
  expect(restarted.states()).toEqual(['bob standby', 'ann on-air'])
  expect(restarted.events).toEqual(['start 9 ann', 'resume 9 ann'])

  const alone = createSite([openRow(9, 'ann')])
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
  const { connect, events, ended, live, state } = createSite(rows)
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
  const { connect, events, ended, live, state } = createSite(rows)
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
  const { connect, events, ended, live, state } = createSite(rows)
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

/** A source on air whose levels the test sets, and what observers of its broadcast get. */
async function createMeasured() {
  const events: string[] = []
  const count = (name: string) => (_broadcast: unknown, value?: unknown) =>
    void events.push(value === undefined ? name : `${name} ${Array.isArray(value) ? value.length : value}`)
  const observer = {
    ...{ onStart: count('start'), onFrames: count('frames'), onInterrupt: count('interrupt') },
    ...{ onResume: count('resume'), onEnd: count('end') },
  }
  const rows = {
    ...{ insert: async () => 1, refresh: async () => true, end: async () => {}, listOpen: async () => [] },
    force: async () => {},
  }
  const deps = {
    stationId: 1,
    rows,
    observers: new Set([observer]),
    listeners: () => 0,
    onChange: () => {},
    onFault: () => {},
    now,
  }
  const sound = createSound(now)
  const mixer = createMixer({ maxSources: 8, sound, startAiring: createAirings(deps).start, awaited: () => [] })
  const source: LiveSource = {
    ...{ id: '1', mount: '/live', isTest: false, streamer: { userId: 'ann', name: 'ann' }, client: '' },
    ...{ connectedAt: now(), type: 'audio/mpeg', format: 'f', header: [], title: null, show: null, upcoming: null },
    ...{ isForced: false, isSilent: false, kilobitsPerSecond: () => 0, level: () => null, end: () => {} },
  }
  mixer.connect(source)
  mixer.begin(source)
  await vi.advanceTimersByTimeAsync(0)
  const history = createLevelHistory((isSilent) => mixer.setSilent(source, isSilent))
  const play = (peak: number, seconds: number) => {
    history.push({ peak, rms: peak - 3 }, seconds)
    mixer.push(source, createMpegParser().push(frames(0.1)))
  }
  return { events, sound, mixer, source, history, play }
}

test('a source that connects while the schedule is read keeps its show', async () => {
  const { mixer, source } = await createMeasured()
  source.show = show(1)
  mixer.setShows(new Map([['bob', show(2)]]))
  expect(source.show).toMatchObject({ id: 1 })
  mixer.setShows(new Map([['ann', null]]))
  expect(source.show).toBeNull()
})

test('silence for 30 seconds lets the station play until there is sound', async () => {
  const { events, sound, mixer, source, history, play } = await createMeasured()
  for (let second = 0; second < 29; second++) play(-61, 1)
  expect(mixer.stateOf(source)).toBe('on-air')
  play(-100, 1)
  expect([mixer.stateOf(source), sound.state()]).toEqual(['silent', null])
  const heard = events.length
  play(-100, 1)
  play(-59, 0.25)
  expect([mixer.stateOf(source), sound.state()?.format]).toEqual(['on-air', 'MPEG-1 layer 3, 44100 Hz, 2 ch'])
  expect(history.lastSecond()?.peak).toBe(-59)
  // The silence is not recorded.
  expect([events.at(heard - 1), ...events.slice(heard)]).toEqual(['interrupt', 'resume', 'frames 4'])
  mixer.remove(source, false)
  expect(events.at(-1)).toBe('end false')
})

test('tells observers at the end of a broadcast that it was only silence', async () => {
  const { events, mixer, source, play } = await createMeasured()
  for (let second = 0; second < 60; second++) play(-100, 1)
  mixer.remove(source, false)
  expect(events.at(-1)).toBe('end true')
})

/** A FLAC stream in Ogg whose pages of a second have packets of a size each. */
function flac(sizes: number[]): Buffer {
  const first = Buffer.alloc(51)
  first.write('\x7fFLAC\x01\0\0\x01fLaC', 'latin1')
  first.writeUInt32BE((44_100 << 12) | (1 << 9), 27)
  const header = [oggPage({ flags: 2, packets: [first] }), oggPage({ packets: [Buffer.from([0x84, 0, 0, 0])] })]
  const pages = sizes.map((size, index) =>
    oggPage({ granule: BigInt((index + 1) * 44_100), packets: Array<Buffer>(11).fill(Buffer.alloc(size, index)) }),
  )
  return Buffer.concat([...header, ...pages])
}

// The bytes of ffmpeg's encoders.
const silentAac = Buffer.from('fff1508001bffc211004608c1c', 'hex')
test.each<[name: string, type: string, silent: Buffer, loud: Buffer]>([
  [
    'AAC',
    'audio/aac',
    Buffer.concat(Array(100).fill(silentAac)),
    Buffer.concat([1, 2, 3].map((mark) => adtsFrame(mark))),
  ],
  ['FLAC', 'audio/ogg', flac([14, 14, 14]), flac([1300, 1300, 1300])],
])('digital silence of %s is recognised without a decoder, and has a level', async (_name, type, silent, loud) => {
  vi.useRealTimers()
  const levels: (Level | null)[] = []
  const isSilent: boolean[] = []
  const history = createLevelHistory((silent) => isSilent.push(silent))
  const meter = createLevelMeter(
    (level, seconds) => {
      levels.push(level)
      // The slice stands for half a minute.
      history.push(level, seconds * 30)
    },
    (error) => expect.unreachable(String(error)),
  )
  for (const bytes of [silent, loud, silent]) {
    const count = levels.length
    for (let times = 0; times < 12 && levels.length === count; times++) {
      meter.push(createAudioParser(type)?.push(bytes) ?? [])
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  }
  expect(levels).toEqual([{ peak: -100, rms: -100 }, null, { peak: -100, rms: -100 }])
  expect(isSilent).toEqual([true, false, true])
  expect(history.lastSecond()).toEqual({ peak: -100, rms: -100 })
  meter.close()
})

test('sound that claims to have no duration does not fill the memory', async () => {
  const page = { bytes: Buffer.alloc(64 * 1024), seconds: 0, format: 'FLAC, 44100 Hz, 2 ch' }
  const sound = createSound(now)
  const levels: (Level | null)[] = []
  const meter = createLevelMeter(
    (level) => levels.push(level),
    (error) => expect.unreachable(String(error)),
  )
  sound.start('audio/ogg', page.format)
  for (let count = 0; count < 200; count++) {
    sound.push([page])
    meter.push([page])
  }
  let keptBytes = 0
  sound.observe((change) => {
    if (change.kind === 'frames') keptBytes += change.frames.reduce((sum, { bytes }) => sum + bytes.length, 0)
  })
  expect(keptBytes).toBe(4 * 1024 * 1024)
  // The meter takes what waits.
  await vi.advanceTimersByTimeAsync(0)
  expect(levels.length).toBeGreaterThan(0)
  meter.close()
})

test('levels of MP3 are measured', async () => {
  vi.useRealTimers()
  const levels: Level[] = []
  const faults: unknown[] = []
  const meter = createLevelMeter(
    (level) => level && levels.push(level),
    (error) => faults.push(error),
  )
  const measure = async (bytes: Buffer) => {
    const count = levels.length
    meter.push(createMpegParser().push(bytes))
    await expect.poll(() => levels.length).toBeGreaterThan(count)
    return levels.at(-1)
  }
  const demo = readFileSync(DEMO_TRACK)
  expect((await measure(demo.subarray(200_000, 216_000)))?.peak).toBeGreaterThan(-40)
  meter.close()
  const silent = createLevelMeter(
    (level) => level && levels.push(level),
    (error) => faults.push(error),
  )
  silent.push(createMpegParser().push(silence(2)))
  await expect.poll(() => levels.at(-1)?.peak).toBe(-100)
  expect(faults).toEqual([])
  silent.close()
})

test('a source that sends a link with only a header first goes on air with the header of the next link', async () => {
  const { connect, live, states } = createSite()
  const link = [...vorbisHead(), ...oggSound(2)]
  const sound = Buffer.concat([...vorbisHead({ serial: 9, endsStream: true }), ...link])
  await connect('ann', { sound, type: 'application/ogg' })
  expect(states()).toEqual(['ann on-air'])
  const heard: Buffer[] = []
  live.sound.observe((change) => {
    if (change.kind === 'frames') heard.push(...change.frames.map(({ bytes }) => bytes))
  })
  expect(Buffer.concat(heard).equals(Buffer.concat(link))).toBe(true)
})

test('a title that arrives before the first sound is kept for its source', async () => {
  const { connect, live } = createSite()
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
  const { connect, live } = createSite()
  await connect('ann')
  const second = await connect('ann', { sound: Buffer.alloc(0) })
  live.setTitle('ann', '/live', { artist: '', title: 'Second' })
  await second.send(frames(1))
  expect(live.sources().map(({ title }) => title?.title)).toEqual(['Second'])
})

test('a title that a program sends again after it has connected again is no new track', async () => {
  const { connect, live } = createSite()
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
  const { connect, live } = createSite()
  const titles = () => live.sources().map(({ title }) => title?.title)
  const ann = await connect('ann', { sound: sound.subarray(0, 20) })
  await ann.send(sound.subarray(20))
  await expect.poll(titles).toEqual(['Jóga'])
  const bob = await connect('bob', { sound: sound.subarray(0, 20) })
  live.setTitle('bob', '/live', { artist: '', title: 'Named' })
  await bob.send(sound.subarray(20))
  // The tags of a third source are read after those of the second.
  await connect('eve', { sound: Buffer.concat([id3v2({ title: 'Later' }), frames(1)]) })
  await expect.poll(titles).toEqual(['Jóga', 'Named', 'Later'])
})
