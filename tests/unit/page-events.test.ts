import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PageEvent } from '#src/contract/events.ts'

const MINUTE = 60_000
const opened: FakeEventSource[] = []

class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2
  readyState = 1
  readonly input: { topics: string[]; lastEventId: string; html: string }

  constructor(readonly url: string) {
    super()
    this.input = JSON.parse(new URL(url, 'http://site').searchParams.get('input') ?? '').json
    opened.push(this)
  }
  close() {
    this.readyState = FakeEventSource.CLOSED
  }
  say(type: string, data: unknown = '', lastEventId = '') {
    const text = typeof data === 'string' ? data : JSON.stringify({ json: data })
    if (this.readyState !== FakeEventSource.CLOSED)
      this.dispatchEvent(Object.assign(new Event(type), { data: text, lastEventId }))
  }
  /** Closes like a browser when the server refuses the connection. */
  refuse() {
    this.close()
    this.dispatchEvent(new Event('error'))
  }
}

const page = { events: [] as PageEvent[], stale: 0 }
let close = () => {}

beforeEach(async () => {
  vi.useFakeTimers()
  vi.resetModules()
  const root = Object.assign(new EventTarget(), {
    hidden: false,
    readyState: 'complete',
    documentElement: { lang: 'de' },
  })
  vi.stubGlobal('document', root)
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('EventSource', FakeEventSource)
  opened.length = 0
  Object.assign(page, { events: [], stale: 0 })
  const { subscribeEvents } = await import('#src/lib/events.ts')
  close = subscribeEvents({
    topics: ['thread:1'],
    lastEventId: '5',
    onEvent: (event) => page.events.push(event),
    onStale: () => page.stale++,
  })
  await vi.advanceTimersByTimeAsync(1000)
})
afterEach(() => {
  close()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const last = () => opened.at(-1) as FakeEventSource
const post = (id: number) => ({
  topic: 'thread:1',
  change: { kind: 'post', postId: id },
  post: { lastActivity: '2026-11-30T10:00:00.000Z', html: 'lastActivity' },
})

test('asks for the HTML of the page’s language, and gives dates to the page', () => {
  expect(last().input).toEqual({ topics: ['site', 'thread:1'], lastEventId: '5', html: 'de' })
  last().say('message', post(7), '6')
  last().say('message', { topic: 'thread:2', change: { kind: 'post', postId: 8 } }, '7')
  expect(page.events).toMatchObject([{ change: { postId: 7 }, post: { lastActivity: new Date('2026-11-30T10:00Z') } }])
})

test('resumes after the last event if the connection is silent, as long as nothing else ends it', async () => {
  last().say('connected', '{}')
  last().say('message', post(7), '6')
  await vi.advanceTimersByTimeAsync(30_000)
  last().say('ping')
  await vi.advanceTimersByTimeAsync(30_000)
  expect(opened).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(15_000)
  expect(opened).toHaveLength(2)
  expect(opened[0]?.readyState).toBe(FakeEventSource.CLOSED)
  expect(last().input.lastEventId).toBe('6')
})

test('tries again if the network swallows an attempt to connect', async () => {
  await vi.advanceTimersByTimeAsync(45_000)
  expect(opened.map(({ readyState }) => readyState)).toEqual([FakeEventSource.CLOSED, 1])
  await vi.advanceTimersByTimeAsync(45_000)
  expect(opened).toHaveLength(3)
})

test.each<[string, () => void]>([
  ['a refused connection', () => last().refuse()],
  ['an error that names the page', () => last().say('serialized-error', { data: { httpStatus: 429 } })],
])('polls after %s, and connects again after a minute', async (_, fail) => {
  fail()
  await vi.advanceTimersByTimeAsync(50_000)
  expect(opened).toHaveLength(1)
  expect(page.stale).toBe(3)
  await vi.advanceTimersByTimeAsync(15_000)
  expect(opened).toHaveLength(2)
  last().say('connected', '{}')
  const before = page.stale
  await vi.advanceTimersByTimeAsync(30_000)
  expect(page.stale).toBe(before)
})

test('leaves the next attempt to the browser if the server fails, and waits a little if it ends the connection', async () => {
  last().say('serialized-error', { data: { httpStatus: 503 } })
  last().dispatchEvent(new Event('error'))
  await vi.advanceTimersByTimeAsync(30_000)
  expect([opened.length, page.stale]).toEqual([1, 0])
  last().say('return')
  expect(last().readyState).toBe(FakeEventSource.CLOSED)
  await vi.advanceTimersByTimeAsync(4000)
  expect(opened).toHaveLength(2)
  close()
  await vi.advanceTimersByTimeAsync(MINUTE)
  expect(opened).toHaveLength(2)
  expect(last().readyState).toBe(FakeEventSource.CLOSED)
})
