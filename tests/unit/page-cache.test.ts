import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import type { RenderedPage } from '#server/core/cache/cachedPage.ts'
import { type CacheablePage, createPageCache } from '#server/core/cache/pageCache.ts'
import type { PublishedChange } from '#server/core/events/event.ts'
import type { ModerationChange, StoredTopic } from '#src/contract/events.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const reader = () => 'reader'
let time = 0
let cache = createPageCache({ bytes: 1_000_000, clock: () => time })
let lastId = 0

beforeEach(() => {
  time = 0
  cache = createPageCache({ bytes: 1_000_000, clock: () => time })
})

const page = (url = '/page', tags: CacheablePage['tags'] = ['thread:1']): CacheablePage => ({
  url,
  tags,
  maxAgeMs: MINUTE,
  showsFailures: false,
  waitsForLatest: false,
})
const rendered = (text: string, outcome: RenderedPage['outcome'] = 'cacheable'): RenderedPage => ({
  outcome,
  status: outcome === 'cacheable' ? 200 : outcome === 'uncacheable' ? 404 : 503,
  headers: { 'content-type': 'text/html' },
  body: Buffer.from(text),
})
/** Creates an event with a new id. */
const change = (topic: StoredTopic, by?: string): PublishedChange[] => {
  lastId++
  return [{ id: lastId, topic, change: { kind: 'programs' }, ...(by && { by }) }]
}
const erasure = (topic: StoredTopic): PublishedChange[] =>
  change(topic).map((event) => ({ ...event, change: { kind: 'erased' } }))

/** Creates a renderer whose renders end only when the test calls `end`. */
function createSlowRenderer() {
  const rendering: ((rendered: RenderedPage) => void)[] = []
  return {
    render: () => new Promise<RenderedPage>((resolve) => rendering.push(resolve)),
    begun: () => rendering.length,
    end: (text: string, outcome?: RenderedPage['outcome']) => {
      const index = rendering.findIndex((resolve) => resolve !== done)
      rendering[index]?.(rendered(text, outcome))
      rendering[index] = done
    },
  }
}
const done = () => {}

const read = async (of: CacheablePage, text: string, visitor = reader) =>
  (await cache.read(of, visitor, async () => rendered(text))).body.toString()

describe('page cache', () => {
  it('renders a page once for concurrent requests', async () => {
    const slow = createSlowRenderer()
    const asked = Promise.all(Array.from({ length: 100 }, () => cache.read(page(), reader, slow.render)))
    expect(slow.begun()).toBe(1)
    slow.end('first')
    expect(new Set((await asked).map(({ body }) => body.toString()))).toEqual(new Set(['first']))
    expect(await read(page(), 'second')).toBe('first')
    expect(cache.stats()).toMatchObject({ entries: 1, hits: 1, misses: 1 })
  })

  it('re-renders a page only after a change of one of its tags', async () => {
    await read(page(), 'first')
    cache.invalidate(change('thread:2'))
    expect(await read(page(), 'second')).toBe('first')
    cache.invalidate(change('thread:1'))
    expect(await read(page(), 'second')).toBe('second')
  })

  it('makes requests of a waitsForLatest page wait for the latest version', async () => {
    const awaited = { ...page(), waitsForLatest: true }
    await read(awaited, 'first')
    cache.invalidate(change('thread:1'))
    const slow = createSlowRenderer()
    const asked = [1, 2].map(() => cache.read(awaited, reader, slow.render))
    cache.invalidate(change('thread:1'))
    const late = cache.read(awaited, reader, slow.render)
    expect(slow.begun()).toBe(1)
    slow.end('second')
    expect((await Promise.all(asked)).map(({ body }) => body.toString())).toEqual(['second', 'second'])
    await expect.poll(slow.begun).toBe(2)
    slow.end('third')
    expect((await late).body.toString()).toBe('third')
  })

  it('invalidates a page of all threads with any board', async () => {
    await read(page('/', ['threads']), 'first')
    cache.invalidate(change('board:tech'))
    expect(await read(page('/', ['threads']), 'second')).toBe('second')
  })

  it('ignores an event it has processed', async () => {
    const written = change('thread:1')
    await read(page(), 'first')
    cache.invalidate(written)
    await read(page(), 'second')
    cache.invalidate(written)
    expect(await read(page(), 'third')).toBe('second')
  })

  it('invalidates again when an uncommitted change arrives as an event', async () => {
    const written = change('thread:1')
    await read(page(), 'first')
    cache.invalidateUncommitted(written)
    expect(await read(page(), 'second')).toBe('second')
    time = SECOND
    cache.invalidate(written)
    expect(await read(page(), 'third')).toBe('third')
    cache.invalidate(written)
    expect(await read(page(), 'fourth')).toBe('third')
  })

  it('re-renders a page after its maximum age', async () => {
    await read(page(), 'first')
    time = MINUTE - 1
    expect(await read(page(), 'second')).toBe('first')
    time = MINUTE
    expect(await read(page(), 'second')).toBe('second')
  })

  it('serves the previous version while one request re-renders', async () => {
    await read(page(), 'first')
    cache.invalidate(change('thread:1'))
    const slow = createSlowRenderer()
    const first = cache.read(page(), reader, slow.render)
    const others = await Promise.all(Array.from({ length: 20 }, () => cache.read(page(), reader, slow.render)))
    expect(others.every(({ body }) => body.toString() === 'first')).toBe(true)
    expect(slow.begun()).toBe(1)
    slow.end('second')
    expect((await first).body.toString()).toBe('second')
    expect(await read(page(), 'third')).toBe('second')
  })

  it('makes the writer wait for a render that began after the write', async () => {
    const writer = () => 'writer'
    await read(page(), 'first')
    cache.invalidate(change('thread:1', 'somebody'))
    const slow = createSlowRenderer()
    const early = cache.read(page(), reader, slow.render)
    cache.invalidate(change('thread:1', 'writer'))
    const own = cache.read(page(), writer, slow.render)
    expect((await cache.read(page(), reader, slow.render)).body.toString()).toBe('first')
    slow.end('without the own post')
    expect((await early).body.toString()).toBe('without the own post')
    await expect.poll(slow.begun).toBe(2)
    slow.end('with the own post')
    expect((await own).body.toString()).toBe('with the own post')
    expect(await read(page(), 'third', writer)).toBe('with the own post')
  })

  it('stores a page that changed during its render as stale', async () => {
    const slow = createSlowRenderer()
    const early = cache.read(page(), reader, slow.render)
    cache.invalidate(change('thread:1'))
    slow.end('old')
    await early
    expect(await read(page(), 'new')).toBe('new')
  })

  it('does not send a first render that began before a change', async () => {
    const slow = createSlowRenderer()
    const early = cache.read(page(), reader, slow.render)
    cache.invalidate(change('thread:1'))
    const late = cache.read(page(), reader, slow.render)
    slow.end('old')
    await early
    await expect.poll(slow.begun).toBe(2)
    slow.end('new')
    expect((await late).body.toString()).toBe('new')
  })

  it('falls back to the previous version when a render fails, and retries later', async () => {
    await read(page(), 'first')
    cache.invalidate(change('thread:1'))
    const fails = async () => {
      throw new Error('gone')
    }
    expect((await cache.read(page(), reader, fails)).body.toString()).toBe('first')
    expect(await read(page(), 'second')).toBe('first')
    time += 2000
    expect((await cache.read(page(), reader, async () => rendered('503', 'failed'))).body.toString()).toBe('first')
    time += 2000
    expect(await read(page(), 'second')).toBe('second')
    await expect(cache.read(page('/other'), reader, fails)).rejects.toThrow('gone')
    expect((await cache.read(page('/other'), reader, async () => rendered('503', 'failed'))).status).toBe(503)
  })

  it('does not send the previous version after a takedown during a slow render', async () => {
    await read(page(), 'first')
    cache.invalidate(change('thread:1'))
    const slow = createSlowRenderer()
    const asked = cache.read(page(), reader, slow.render)
    cache.invalidate(erasure('thread:1'))
    // Longer than a reader waits.
    await sleep(1100)
    slow.end('second')
    expect((await asked).body.toString()).toBe('second')
  })

  it('keeps no render that began before a takedown, for a render that fails', async () => {
    const slow = createSlowRenderer()
    const asked = cache.read(page(), reader, slow.render)
    cache.invalidate(erasure('thread:1'))
    slow.end('first')
    await asked
    expect((await cache.read(page(), reader, async () => rendered('503', 'failed'))).body.toString()).toBe('503')
  })

  it('drops pages once for a takedown, whose event its own process receives twice', async () => {
    const events = erasure('thread:1')
    cache.invalidate(events)
    await read(page(), 'first')
    cache.invalidate(events)
    expect(await read(page(), 'second')).toBe('first')
  })

  it('sends a failed render of a page that shows failures', async () => {
    const about = { ...page('/archive'), showsFailures: true }
    await read(about, 'first')
    time = MINUTE
    expect((await cache.read(about, reader, async () => rendered('away', 'failed'))).body.toString()).toBe('away')
    expect(await read(about, 'second')).toBe('second')
  })

  it('removes a page that no longer exists', async () => {
    await read(page(), 'first')
    cache.invalidate(change('thread:1'))
    expect((await cache.read(page(), reader, async () => rendered('gone', 'uncacheable'))).status).toBe(404)
    expect(cache.stats().entries).toBe(0)
  })

  it('lets a page rest whose version had twenty readers and was outdated within a second', async () => {
    const post = () => cache.invalidate(change('thread:1', 'writer'))
    /** The first of these reads renders the version, and also counts as a read of the version before. */
    const readTimes = async (count: number, text: string) => {
      post()
      for (let number = 0; number < count; number++) expect(await read(page(), text)).toBe(text)
    }
    await readTimes(30, 'popular')
    time += SECOND
    await readTimes(19, 'lonely')
    await readTimes(20, 'busy')
    await readTimes(1, 'resting')
    post()
    time += SECOND / 2 - 1
    expect(await read(page(), 'early')).toBe('resting')
    expect(await read(page(), 'own', () => 'writer')).toBe('own')
    await readTimes(20, 'busy again')
    await readTimes(1, 'resting again')
    post()
    time += SECOND / 2
    expect(await read(page(), 'rested')).toBe('rested')
  })

  it('never lets a waitsForLatest page rest', async () => {
    const awaited = { ...page(), waitsForLatest: true }
    for (const text of ['first', 'second', 'third']) {
      for (let number = 0; number < 30; number++) expect(await read(awaited, text)).toBe(text)
      cache.invalidate(change('thread:1'))
    }
  })

  it('sends the previous version until the next one is compressed', async () => {
    const first = await cache.read(page(), reader, async () => rendered('first'))
    await first.encoded('br')
    cache.invalidate(change('thread:1'))
    const slow = createSlowRenderer()
    const asked = cache.read(page(), reader, slow.render)
    slow.end('second')
    expect(await read(page(), 'third')).toBe('first')
    const second = await asked
    expect(second.body.toString()).toBe('second')
    expect(second.encoded('br')).toBeInstanceOf(Buffer)
    expect(cache.stats().bytes).toBe('second'.length + (await second.encoded('br')).length)
    expect(second.encoded('gzip')).toBeInstanceOf(Promise)
  })

  it('drops all pages on clear, also those being rendered', async () => {
    await read(page('/a'), 'first')
    const slow = createSlowRenderer()
    const under = cache.read(page('/b'), reader, slow.render)
    cache.clear()
    expect(cache.stats()).toMatchObject({ entries: 0, bytes: 0 })
    slow.end('old')
    await under
    expect(await read(page('/b'), 'new')).toBe('new')
  })

  it('compresses once, with another ETag for each encoding', async () => {
    const text = 'a page of some length, '.repeat(200)
    const kept = await cache.read(page(), reader, async () => rendered(text))
    const [first, second] = await Promise.all([kept.encoded('br'), kept.encoded('br')])
    expect(second).toBe(first)
    expect(kept.encoded('br')).toBe(first)
    expect(brotliDecompressSync(first).toString()).toBe(text)
    expect(gunzipSync(await kept.encoded('gzip')).toString()).toBe(text)
    const tags = (['identity', 'gzip', 'br'] as const).map(kept.etag)
    expect(new Set(tags).size).toBe(3)
    for (const tag of tags) expect(tag).toMatch(/^"[\w-]+"$/)
  })
})

describe('page cache size', () => {
  it('counts all encodings and evicts the least recently read page', async () => {
    cache = createPageCache({ bytes: 30_000, clock: () => time })
    const text = 'x'.repeat(5000)
    const keys = ['/a', '/b', '/c', '/d', '/e', '/f']
    for (const key of keys) await read(page(key), text)
    expect(cache.stats()).toMatchObject({ entries: 6, bytes: 30_000 })
    const kept = await cache.read(page('/a'), reader, async () => rendered('new'))
    expect(kept.body.toString()).toBe(text)
    const more = (await kept.encoded('gzip')).length
    expect(cache.stats()).toMatchObject({ entries: 5, bytes: 25_000 + more })
    expect(await read(page('/a'), 'new')).toBe(text)
    expect(await read(page('/b'), 'new')).toBe('new')
  })

  it('keeps a page that is read while any number of others are', async () => {
    await read(page('/home'), 'home')
    for (let number = 0; number < 500; number++) {
      await read(page(`/?page=${number}`, []), 'x'.repeat(5000))
      if (number % 100 === 0) expect(await read(page('/home'), 'new')).toBe('home')
    }
    expect(cache.stats().bytes).toBeLessThanOrEqual(1_000_000)
  })

  it('stores nothing with a limit of 0 bytes', async () => {
    cache = createPageCache({ bytes: 0 })
    await read(page(), 'first')
    expect(await read(page(), 'second')).toBe('second')
  })
})

describe('the log of changes', () => {
  it('counts everything as changed when it forgets changes, so that no old page counts as fresh', () => {
    cache.invalidate(change('thread:1'))
    const before = cache.lastChange(['thread:1'])
    for (let id = 2; id <= 5000; id++) cache.invalidate(change(`thread:${id}`))
    expect(cache.lastChange(['thread:1'])).toBe(before)
    cache.invalidate(change('thread:5001'))
    expect(cache.lastChange(['thread:1'])).toBeGreaterThan(before)
    expect(cache.lastChange(['boards'])).toBeGreaterThan(before)
  })

  it('tells kinds of moderation changes apart', () => {
    const moderated = (kind: ModerationChange['kind']) =>
      change('moderation').map((event) => ({ ...event, change: { kind } }))
    cache.invalidate(moderated('bans'))
    const bans = cache.lastChange(['moderation:bans'])
    cache.invalidate(moderated('filters'))
    expect(cache.lastChange(['moderation:bans'])).toBe(bans)
    expect(cache.lastChange(['moderation:filters'])).toBeGreaterThan(bans)
  })
})
