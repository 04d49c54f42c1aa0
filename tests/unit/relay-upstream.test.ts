import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { errors } from '#server/core/errors.ts'
import { createRelay } from '#server/features/radio/output/relay/relay.ts'
import { RadioUnavailable } from '#server/features/radio/types.ts'
import { refusal } from '#src/contract/refusal.ts'
import { oggSound, vorbisHead } from '#tests/helpers/audioFrames.ts'
import { fakeListener, fakeSource } from '#tests/helpers/fakeStreams.ts'
import { framesOf, marksIn } from '#tests/helpers/mp3.ts'

const log = { info: vi.fn(), warn: vi.fn() }
let fake: ReturnType<typeof fakeSource>
let relay: ReturnType<typeof createRelay>

beforeEach(() => {
  vi.useFakeTimers()
  log.info.mockClear()
  log.warn.mockClear()
  fake = fakeSource()
  relay = createRelay({ source: fake.source, maxListeners: 200, log, onTitle: () => {} })
})
afterEach(async () => {
  await relay.close()
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

const tick = (ms = 0) => vi.advanceTimersByTimeAsync(ms)
const join = (stationId = 1) => {
  const one = fakeListener()
  const joined = relay.listen(stationId, one.listener)
  let refusal: Error | null = null
  joined.catch((error) => {
    refusal = error
  })
  return { ...one, joined, refusal: () => refusal, leave: async () => (await joined).leave() }
}
const FRAMES = framesOf({ seconds: 200 })
let at = 0
beforeEach(() => {
  at = 0
})
const play = async (seconds: number) => {
  for (let played = 0; played < seconds; played += 0.5) {
    fake.last().send(...FRAMES.slice(at, at + 19))
    at += 19
    await tick(496)
  }
}
const marks = (bytes: Buffer) => marksIn(bytes).map(({ frame }) => frame)
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index)

describe('a stream that cannot be opened', () => {
  test('rejects all waiting listeners, and is retried a second later', async () => {
    const all = [join(), join(), join()]
    await tick()
    fake.last().refuse(new RadioUnavailable('down'))
    await tick()
    for (const one of all) expect(one.refusal()).toBeInstanceOf(RadioUnavailable)
    const early = join()
    await tick(900)
    expect(early.refusal()).toBeInstanceOf(RadioUnavailable)
    expect(fake.streams).toHaveLength(1)
    await tick(200)
    join()
    await tick()
    expect(fake.streams).toHaveLength(2)
  })

  test('rejects with NOT_FOUND, which is not cached', async () => {
    const one = join(9)
    await tick()
    fake.last().refuse(errors.notFound(refusal('radio.stationNotFound')))
    await tick()
    expect(one.refusal()).toMatchObject({ code: 'NOT_FOUND', message: 'Station not found' })
    join(9)
    await tick()
    expect(fake.streams).toHaveLength(2)
  })

  test.each([
    ['a silent source', () => {}],
    ['a source that sends headers only', () => fake.last().open()],
    ['a source that sends no audio', () => setInterval(() => fake.last().send(Buffer.from('x')), 500)],
  ])('%s: times out after ten seconds and is closed if it opens later', async (_name, behave) => {
    const one = join()
    await tick()
    const timer = behave()
    await tick(9900)
    expect(one.refusal()).toBeNull()
    await tick(200)
    clearInterval(timer as NodeJS.Timeout | undefined)
    expect(one.refusal()).toBeInstanceOf(RadioUnavailable)
    expect(fake.last().signal.aborted).toBe(true)
    fake.last().open()
    await tick(1100)
    expect(fake.last().isClosed()).toBe(true)
  })

  test('is rejected and logged once for an unsupported type', async () => {
    for (let number = 0; number < 3; number++) {
      const one = join()
      await tick()
      fake.last().open({ type: 'video/mp2t; codecs=x' })
      await tick(1100)
      expect(one.refusal()).toBeInstanceOf(RadioUnavailable)
      expect(fake.last().isClosed()).toBe(true)
    }
    expect(fake.streams).toHaveLength(3)
    expect(log.warn.mock.calls).toEqual([
      [
        { stationId: 1, reason: 'cannot relay streams of the type video/mp2t; codecs=x' },
        'radio stream is unavailable',
      ],
    ])
  })

  test('is rejected for a page or endless noise', async () => {
    const page = join()
    await tick()
    fake.last().send(Buffer.from('<!doctype html><title>Sign in</title>'))
    fake.last().end()
    await tick()
    expect(page.refusal()).toBeInstanceOf(RadioUnavailable)
    await tick(1100)
    const noise = join()
    await tick()
    for (let number = 0; number < 1000; number++) fake.last().send(Buffer.alloc(16_384, 0x55))
    await tick(2000)
    expect(noise.refusal()).toBeInstanceOf(RadioUnavailable)
    // the relay gives up after 512 kB without audio
    expect(1000 - fake.last().unread()).toBeLessThanOrEqual(33)
  })

  test('does not log internal addresses of an error', async () => {
    const one = join()
    await play(1)
    fake.last().fail(Object.assign(new Error('connect ECONNREFUSED 10.0.0.5:8000'), { code: 'ECONNREFUSED' }))
    await tick()
    expect(one.state.ended).toBe(false)
    expect(JSON.stringify(log.warn.mock.calls)).not.toContain('10.0.0.5')
    expect(log.warn.mock.calls[0]?.[0]).toEqual({ stationId: 1, reason: 'stream failed: ECONNREFUSED' })
  })
})

describe('a lost stream', () => {
  test('is reopened at once and continues at its position', async () => {
    const one = join()
    await play(15)
    fake.last().end()
    await tick()
    expect(fake.streams).toHaveLength(2)
    // the server's initial burst repeats the last seconds
    fake.last().send(...FRAMES.slice(at - 150, at + 30))
    at += 30
    await tick(100)
    await play(2)
    const heard = marks(one.heard())
    expect(heard).toEqual(upTo(heard.length))
    expect(heard.length).toBeGreaterThan(at - 40)
    expect(one.state.ended).toBe(false)
    expect(log.warn).toHaveBeenCalledTimes(1)
    expect(log.info.mock.calls).toEqual([[{ stationId: 1 }, 'radio stream recovered']])
  })

  test('continues after half a second when the position is not found', async () => {
    const one = join()
    await play(15)
    const before = at
    fake.last().fail(new Error('reset'))
    await tick()
    const restarted = framesOf({ seconds: 30, track: 2 })
    fake.last().send(...restarted.slice(0, 100))
    await tick(400)
    expect(marks(one.heard()).at(-1)).toBeLessThan(before)
    await tick(200)
    fake.last().send(...restarted.slice(100, 120))
    await tick(500)
    const heard = marksIn(one.heard())
    expect(heard.filter(({ track }) => track === 1).map(({ frame }) => frame)).toEqual(upTo(before))
    const anew = heard.filter(({ track }) => track === 2).map(({ frame }) => frame)
    expect(anew).toEqual(upTo(anew.length))
    expect(anew.length).toBeGreaterThan(100)
  })

  test('is retried at once and after 1, 2 and 4 seconds, then given up', async () => {
    const one = join()
    await play(15)
    const tries: number[] = []
    fake.last().end()
    for (let ms = 0; ms < 12_000; ms += 100) {
      await tick(ms === 0 ? 0 : 100)
      while (fake.streams.length - 1 > tries.length) {
        tries.push(ms)
        fake.last().refuse(new RadioUnavailable('down'))
        await tick()
      }
      if (ms < 7000) expect(one.state.ended).toBe(false)
    }
    expect(tries).toEqual([0, 1000, 3000, 7000])
    expect(one.state.ended).toBe(true)
    expect(relay.listeners(1)).toBe(0)
    expect(marks(one.heard())).toEqual(upTo(at))
  })

  test('is given up after ten seconds without an answer', async () => {
    const one = join()
    await play(15)
    fake.last().end()
    await tick(9900)
    expect(one.state.ended).toBe(false)
    await tick(200)
    expect(one.state.ended).toBe(true)
    expect(fake.streams).toHaveLength(2)
  })

  test('that fails again and again is given up', async () => {
    const one = join()
    await play(15)
    for (let number = 0; number < 100 && !one.state.ended; number++) {
      fake.last().send(...FRAMES.slice(at, at + 12))
      at += 12
      fake.last().end()
      await tick(100)
    }
    expect(fake.streams.length).toBeLessThanOrEqual(6)
    await tick(10_000)
    expect(one.state.ended).toBe(true)
  })

  test('that has recovered gets all retries again', async () => {
    const one = join()
    await play(15)
    for (let number = 0; number < 8; number++) {
      fake.last().end()
      await tick()
      await play(11)
    }
    expect(one.state.ended).toBe(false)
    expect(fake.streams).toHaveLength(9)
  })

  test('is reopened after ten silent seconds', async () => {
    const one = join()
    await play(15)
    await tick(9400)
    expect(fake.streams).toHaveLength(1)
    await tick(200)
    expect(fake.streams).toHaveLength(2)
    expect(fake.streams[0]?.isClosed()).toBe(true)
    expect(one.state.ended).toBe(false)
  })

  test('is not reopened without listeners', async () => {
    const one = join()
    await play(15)
    await one.leave()
    fake.last().end()
    await tick()
    expect(fake.streams).toHaveLength(1)
  })

  test('lets new listeners wait for audio', async () => {
    join()
    await play(15)
    fake.last().end()
    await tick()
    const late = join()
    await tick(100)
    expect(late.written).toHaveLength(0)
    await play(1)
    expect(late.written.length).toBeGreaterThan(0)
    fake.last().end()
    await tick()
    const later = join()
    await tick(11_000)
    expect(later.refusal()).toBeInstanceOf(RadioUnavailable)
  })
})

describe('a change of format', () => {
  const MONO = framesOf({ seconds: 5, mono: true })

  test('ends current listeners, and new ones receive the new format only', async () => {
    const one = join()
    await play(15)
    fake.last().send(...MONO.slice(0, 100))
    await tick(600)
    expect(one.state.ended).toBe(true)
    expect(marks(one.heard())).toEqual(upTo(at))
    const two = join()
    await tick()
    fake.last().send(...MONO.slice(100, 120))
    await tick()
    expect(MONO.map((frame) => frame.toString('hex')).join('')).toContain(two.heard().toString('hex'))
    expect(two.heard().length).toBeGreaterThan(417 * 90)
    expect(fake.streams).toHaveLength(1)
  })

  test('on a new connection also ends listeners', async () => {
    const one = join()
    await play(15)
    fake.last().end()
    await tick()
    fake.last().send(...MONO.slice(0, 100))
    await tick(600)
    expect(one.state.ended).toBe(true)
    expect(marks(one.heard())).toEqual(upTo(at))
  })

  test('keeps the stream for thirty seconds without listeners', async () => {
    join()
    await play(15)
    fake.last().send(...MONO.slice(0, 50))
    for (let seconds = 0; seconds < 29; seconds++) {
      fake.last().send(...MONO.slice(50, 90))
      await tick(1000)
    }
    expect(fake.last().signal.aborted).toBe(false)
    await tick(1500)
    expect(fake.last().signal.aborted).toBe(true)
  })
})

test('Ogg: resumes the same stream without a second header', async () => {
  const [head, sound] = [vorbisHead(), oggSound(60, { bytes: 5000 })]
  const one = join()
  await tick()
  fake.last().open({ type: 'audio/ogg' })
  fake.last().send(...head, ...sound.slice(0, 10))
  await tick(5000)
  fake.last().end()
  await tick()
  fake.last().open({ type: 'audio/ogg' })
  fake.last().send(...head, ...sound.slice(4, 14))
  await tick(600)
  expect(one.heard().equals(Buffer.concat([...head, ...sound.slice(0, 14)]))).toBe(true)
})

test('limits the lead of a fast stream without dropping listeners', async () => {
  const one = join()
  await tick()
  const chunk = Buffer.concat(FRAMES.slice(0, 38))
  for (let number = 0; number < 200; number++) fake.last().send(chunk)
  await tick(1000)
  const read = () => ((200 - fake.last().unread()) * chunk.length) / 16_000
  expect(read()).toBeGreaterThan(9)
  expect(read()).toBeLessThan(13)
  await tick(30_000)
  expect(read()).toBeGreaterThan(39)
  expect(read()).toBeLessThan(44)
  expect(one.state).toMatchObject({ ended: false, dropped: false })
})

test('processes a huge chunk in small steps', async () => {
  const one = join()
  await tick()
  fake.last().send(Buffer.concat(FRAMES))
  await tick(2000)
  const seconds = () => (marks(one.heard()).length * 1152) / 44_100
  expect(seconds()).toBeGreaterThan(7)
  expect(seconds()).toBeLessThan(14)
  // the relay then sends the rest at playback speed
  await tick(20_000)
  expect(seconds()).toBeGreaterThan(26)
  expect(seconds()).toBeLessThan(34)
})

test('limits frames that claim to have no duration', async () => {
  const still = oggSound(1, { bytes: 60_000 })[0] as Buffer
  join()
  await tick()
  fake.last().open({ type: 'audio/ogg' })
  fake.last().send(...vorbisHead())
  for (let number = 0; number < 2000; number++) fake.last().send(still)
  await tick(1000)
  // at most 512 kB for each of eleven seconds: ten seconds of lead and the elapsed second
  expect((2000 - fake.last().unread()) * 60_000).toBeLessThan(6.5 * 1024 * 1024)
})
