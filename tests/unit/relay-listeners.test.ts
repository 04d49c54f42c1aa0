import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRelay } from '#server/features/radio/output/relay/relay.ts'
import { adtsFrame, oggPage, oggSound, vorbisHead } from '#tests/helpers/audioFrames.ts'
import { fakeListener, fakeSource } from '#tests/helpers/fakeStreams.ts'
import { framesOf, marksIn } from '#tests/helpers/mp3.ts'

const log = { info: vi.fn(), warn: vi.fn() }
const titles: [number, string][] = []
let fake: ReturnType<typeof fakeSource>
let relay: ReturnType<typeof createRelay>

beforeEach(() => {
  vi.useFakeTimers()
  titles.length = 0
  fake = fakeSource()
  relay = createRelay({
    source: fake.source,
    maxListeners: 200,
    log,
    onTitle: (stationId, title) => titles.push([stationId, title]),
  })
})
afterEach(async () => {
  await relay.close()
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

const tick = (ms = 0) => vi.advanceTimersByTimeAsync(ms)
const join = (stationId = 1) => {
  const fakeOne = fakeListener()
  const joined = relay.listen(stationId, fakeOne.listener)
  joined.catch(() => {})
  return { ...fakeOne, joined, leave: async () => (await joined).leave() }
}
/** Frames that `play` sends in real time. */
const FRAMES = framesOf({ seconds: 120 })
let at = 0
const play = async (seconds: number) => {
  for (let played = 0; played < seconds; played += 0.5) {
    fake.last().send(...FRAMES.slice(at, at + 19))
    at += 19
    await tick(496)
  }
}
beforeEach(() => {
  at = 0
})
const marks = (bytes: Buffer) => marksIn(bytes).map(({ frame }) => frame)

test('gives each listener the titles with their sound, also within the burst', async () => {
  const titled = (title: string) => {
    const text = Buffer.from(`StreamTitle='${title}';`)
    const block = Buffer.alloc(1 + Math.ceil(text.length / 16) * 16)
    block[0] = (block.length - 1) / 16
    text.copy(block, 1)
    return block
  }
  const early = join()
  await tick()
  fake.last().open({ metadataInterval: 417 * 20 })
  const frames = framesOf({ seconds: 6 }).map((frame) => frame.subarray(0, 417))
  const bytes = frames.map((frame) => {
    const plain = Buffer.from(frame)
    plain[2] = (plain[2] ?? 0) & ~2
    return plain
  })
  const played = bytes.slice(0, 79)
  fake.last().send(...bytes.slice(0, 20), titled('One'), ...bytes.slice(20, 40), titled('Two'))
  // The batch of a second is complete with its last frame.
  fake.last().send(...bytes.slice(40, 60), Buffer.of(0), ...bytes.slice(60, 79))
  await tick(100)
  const late = join()
  await tick(100)
  for (const { parts } of [early, late]) {
    expect(parts.map(({ title }) => title)).toEqual([null, 'One', 'Two'])
    expect(Buffer.concat(parts.map(({ bytes }) => bytes)).equals(Buffer.concat(played))).toBe(true)
  }
  expect(titles).toEqual([
    [1, 'One'],
    [1, 'Two'],
  ])
})

test('shares one upstream among a hundred listeners without losing bytes', async () => {
  const all = Array.from({ length: 100 }, () => join())
  await tick()
  expect(fake.streams).toHaveLength(1)
  expect(fake.last()).toMatchObject({ stationId: 1 })
  await play(4)
  const { type } = await (all[0] as (typeof all)[0]).joined
  expect(type).toBe('audio/mpeg')
  expect(relay.listeners(1)).toBe(100)
  const [first, ...others] = all.map(({ written }) => written)
  expect(marks(Buffer.concat(first ?? [])).slice(0, 3)).toEqual([0, 1, 2])
  expect(first?.length).toBeGreaterThan(2)
  for (const written of others) {
    expect(written).toHaveLength(first?.length ?? 0)
    for (const [index, bytes] of written.entries()) expect(bytes).toBe(first?.[index])
  }
})

test('sends a new listener the last seven seconds at once, then continues without a gap', async () => {
  join()
  await play(20)
  const late = join()
  await tick()
  const [first = 0, ...more] = marks(late.heard())
  const seconds = ((more.length + 1) * 1152) / 44_100
  expect(seconds).toBeGreaterThanOrEqual(7)
  expect(seconds).toBeLessThan(8.1)
  await play(3)
  const heard = marks(late.heard())
  expect(heard).toEqual(Array.from({ length: heard.length }, (_, index) => first + index))
  expect(heard.at(-1)).toBeGreaterThan(at - 2 * 19)
})

test("sends the server's initial burst to the first listener at once, up to the last second", async () => {
  const first = join()
  await tick()
  fake.last().send(...FRAMES.slice(0, 150))
  await tick()
  expect(marks(first.heard()).length).toBeGreaterThan(150 - 2 * 19)
})

test('sends enough bytes to start at low bit rates', async () => {
  // at 32 kbit/s, the usual initial burst of seven seconds would be only 28 kB
  const frames = Array.from({ length: 1300 }, (_, mark) => adtsFrame(mark, { length: 93 }))
  join()
  await tick()
  fake.last().open({ type: 'audio/aacp' })
  for (let from = 0; from < frames.length; from += 43) {
    fake.last().send(Buffer.concat(frames.slice(from, from + 43)))
    await tick(998)
  }
  const late = join()
  await tick()
  expect(late.heard().length).toBeGreaterThanOrEqual(40 * 1024)
  expect(late.heard().length).toBeLessThan(46 * 1024)
})

test('batches about a second', async () => {
  const one = join()
  await play(4)
  for (const bytes of one.written.slice(1)) {
    expect(bytes.length).toBeGreaterThan(16_000)
    expect(bytes.length).toBeLessThan(16_384 + 418)
  }
})

test('closes the upstream thirty seconds after the last listener has left', async () => {
  const [one, two] = [join(), join()]
  await play(1)
  await one.leave()
  await play(31)
  expect(fake.last().signal.aborted).toBe(false)
  await two.leave()
  expect(relay.listeners(1)).toBe(0)
  await play(29)
  expect(fake.last().signal.aborted).toBe(false)
  const three = join()
  await tick()
  expect(three.written).not.toHaveLength(0)
  await three.leave()
  await play(29.5)
  await three.leave()
  expect(fake.last().signal.aborted).toBe(false)
  await tick(800)
  expect(fake.last().signal.aborted).toBe(true)
  expect(fake.last().isClosed()).toBe(true)
  expect(fake.streams).toHaveLength(1)
  join()
  await tick()
  expect(fake.streams).toHaveLength(2)
})

test('closes the upstream after a listener that leaves at once', async () => {
  const one = join()
  await tick()
  const left = one.joined.then(({ leave }) => leave())
  await play(1)
  await left
  expect(relay.listeners(1)).toBe(0)
  await tick(30_000)
  expect(fake.last().signal.aborted).toBe(true)
})

test('drops a listener with a backlog over 256 kB; others receive every frame', async () => {
  const [slow, quick] = [join(), join()]
  await play(20)
  slow.state.behind = 256 * 1024
  await play(1)
  expect(slow.state.dropped).toBe(false)
  slow.state.behind = 256 * 1024 + 8 * 16_000
  await play(1)
  expect(slow.state).toMatchObject({ dropped: true, ended: false })
  expect(relay.listeners(1)).toBe(1)
  const heard = marks(quick.heard())
  expect(heard).toEqual(Array.from({ length: heard.length }, (_, index) => index))
  await slow.leave()
  expect(relay.listeners(1)).toBe(1)
  quick.state.behind = Number.POSITIVE_INFINITY
  await play(1)
  await tick(30_000)
  expect(fake.last().signal.aborted).toBe(true)
})

test('limits listeners across all stations, including waiting ones', async () => {
  for (let number = 0; number < 199; number++) join(1)
  const other = join(2)
  await tick()
  await expect(relay.listen(3, fakeListener().listener)).rejects.toMatchObject({
    message: 'The radio is full right now',
    code: 'SERVICE_UNAVAILABLE',
    retryAfter: 5,
  })
  expect(fake.streams.map(({ stationId }) => stationId)).toEqual([1, 2])
  fake.last().send(...FRAMES.slice(0, 40))
  await tick(100)
  await other.leave()
  join(2)
  await tick()
  await expect(relay.listen(2, fakeListener().listener)).rejects.toThrow('The radio is full')
})

test('ends listeners on close and refuses new ones', async () => {
  const one = join(1)
  await play(1)
  const waiting = join(2)
  await tick()
  await relay.close()
  expect(one.state.ended).toBe(true)
  await expect(waiting.joined).rejects.toThrow()
  await expect(relay.listen(1, fakeListener().listener)).rejects.toThrow()
  expect(fake.streams.every(({ signal }) => signal.aborted)).toBe(true)
})

test('ends or refuses a listener whose first sound arrives while the relay closes', async () => {
  for (let steps = 0; steps < 60; steps++) {
    fake = fakeSource()
    relay = createRelay({ source: fake.source, maxListeners: 1, log, onTitle: () => {} })
    const one = join()
    await tick()
    fake.last().send(FRAMES[0] as Buffer, FRAMES[1] as Buffer)
    for (let step = 0; step < steps; step++) await null
    await relay.close()
    const isRefused = await one.joined.then(
      () => false,
      () => true,
    )
    expect({ steps, isOver: isRefused || one.state.ended }).toEqual({ steps, isOver: true })
  }
})

test('Ogg: sends the current header first, then audio that can be decoded', async () => {
  const [head, sound] = [vorbisHead(), oggSound(40, { bytes: 2000 })]
  const one = join()
  await tick()
  fake.last().open({ type: 'application/ogg' })
  fake.last().send(...head, ...sound.slice(0, 10))
  await tick(5000)
  for (const page of sound.slice(10)) {
    fake.last().send(page)
    await tick(500)
  }
  expect((await one.joined).type).toBe('audio/ogg')
  const late = join()
  await tick()
  expect(late.heard().subarray(0, Buffer.concat(head).length)).toEqual(Buffer.concat(head))
  expect(late.heard().length).toBeLessThan(22 * 2100)

  const next = vorbisHead({ serial: 2 })
  const after = oggSound(4, { serial: 2, bytes: 6000 })
  // A link without sound is not sent.
  fake.last().send(...vorbisHead({ serial: 9, endsStream: true }), ...next, ...after)
  await tick(100)
  expect(one.heard().equals(Buffer.concat([...head, ...sound, ...next, ...after]))).toBe(true)
  const last = join()
  await tick()
  expect(last.heard().equals(Buffer.concat([...next, ...after]))).toBe(true)
})

test('Ogg: never starts within a packet', async () => {
  const head = vorbisHead()
  // each packet spans ten pages and lasts five seconds
  const pages = Array.from({ length: 100 }, (_, index) =>
    oggPage({
      flags: index % 10 === 0 ? 0 : 1,
      packets: [Buffer.alloc(255 * 20, index)],
      open: index % 10 !== 9,
      granule: BigInt((index + 1) * 22_050),
    }),
  )
  join()
  await tick()
  fake.last().open({ type: 'audio/ogg' })
  fake.last().send(...head)
  for (const page of pages) {
    fake.last().send(page)
    await tick(500)
  }
  const late = join()
  await tick()
  const start = late.heard().subarray(Buffer.concat(head).length)
  expect(start.toString('latin1', 0, 4)).toBe('OggS')
  expect(start[5]).toBe(0)
  expect(pages.findIndex((page) => page.equals(start.subarray(0, page.length)))).toBe(90)
})

test('reports changed titles', async () => {
  const metadata = (title: string) => {
    const text = Buffer.from(`StreamTitle='${title}';`)
    const block = Buffer.alloc(1 + Math.ceil(text.length / 16) * 16)
    block[0] = Math.ceil(text.length / 16)
    text.copy(block, 1)
    return block
  }
  const one = join(7)
  await tick()
  fake.last().open({ metadataInterval: 1000 })
  const sound = Buffer.concat(FRAMES.slice(0, 100))
  const blocks = [metadata('Ärger'), Buffer.from([0]), metadata('Ärger'), metadata("It's"), metadata('')]
  for (const [index, block] of blocks.entries()) {
    fake.last().send(sound.subarray(index * 1000, (index + 1) * 1000), block)
  }
  fake.last().send(sound.subarray(5000, 6000))
  await tick(100)
  expect(titles).toEqual([
    [7, 'Ärger'],
    [7, "It's"],
    [7, ''],
  ])
  expect(sound.indexOf(one.heard())).toBe(0)
  // The last second waits for more.
  expect(one.heard().length).toBeGreaterThan(4000)
})
