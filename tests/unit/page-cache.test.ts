import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Rendered } from '#server/core/cache/cachedPage.ts'
import { createPageCache, type PageName } from '#server/core/cache/pageCache.ts'
import { namePage, plainAddress } from '#server/core/cache/pageKeys.ts'
import type { Numbered } from '#server/core/events/event.ts'
import { chooseEncoding } from '#server/core/http/contentEncoding.ts'
import type { StoredTopic } from '#src/contract/live.ts'

const MINUTE = 60_000
const nobody = () => 'nobody'
let time = 0
let cache = createPageCache({ bytes: 1_000_000, clock: () => time })
let lastId = 0

beforeEach(() => {
  time = 0
  cache = createPageCache({ bytes: 1_000_000, clock: () => time })
})

const name = (key = '/page', tags: PageName['tags'] = ['thread:1'], endless = false): PageName => ({
  key,
  endless,
  tags,
  maxAge: MINUTE,
  tellsFailure: false,
  awaited: false,
})
const page = (text: string, outcome: Rendered['outcome'] = 'finished'): Rendered => ({
  outcome,
  status: outcome === 'finished' ? 200 : outcome === 'passing' ? 404 : 503,
  headers: { 'content-type': 'text/html' },
  body: Buffer.from(text),
})
/** A change as it is heard of, each with a number of its own. */
const change = (topic: StoredTopic, by?: string): Numbered[] => {
  lastId++
  return [{ id: lastId, topic, change: { kind: 'programs' }, ...(by && { by }) }]
}

/** Renders what it is told to, when it is told to, and counts. */
function slowly() {
  const rendering: ((rendered: Rendered) => void)[] = []
  return {
    render: () => new Promise<Rendered>((resolve) => rendering.push(resolve)),
    begun: () => rendering.length,
    end: (text: string, outcome?: Rendered['outcome']) => {
      const index = rendering.findIndex((resolve) => resolve !== done)
      rendering[index]?.(page(text, outcome))
      rendering[index] = done
    },
  }
}
const done = () => {}

const read = async (of: PageName, text: string, visitor = nobody) =>
  (await cache.read(of, visitor, async () => page(text))).body.toString()

describe('a page from memory', () => {
  it('is rendered once, however many ask', async () => {
    const slow = slowly()
    const asked = Promise.all(Array.from({ length: 100 }, () => cache.read(name(), nobody, slow.render)))
    expect(slow.begun()).toBe(1)
    slow.end('first')
    expect(new Set((await asked).map(({ body }) => body.toString()))).toEqual(new Set(['first']))
    expect(await read(name(), 'second')).toBe('first')
    expect(cache.stats()).toMatchObject({ entries: 1, hits: 1, misses: 1 })
  })

  it('is rendered anew after a change of what it shows, and of nothing else', async () => {
    await read(name(), 'first')
    cache.changed(change('thread:2'))
    expect(await read(name(), 'second')).toBe('first')
    cache.changed(change('thread:1'))
    expect(await read(name(), 'second')).toBe('second')
  })

  it('that its readers have in an older form is waited for, also by those who ask while it is rendered', async () => {
    const awaited = { ...name(), awaited: true }
    await read(awaited, 'first')
    cache.changed(change('thread:1'))
    const slow = slowly()
    const asked = [1, 2].map(() => cache.read(awaited, nobody, slow.render))
    cache.changed(change('thread:1'))
    const late = cache.read(awaited, nobody, slow.render)
    expect(slow.begun()).toBe(1)
    slow.end('second')
    expect((await Promise.all(asked)).map(({ body }) => body.toString())).toEqual(['second', 'second'])
    await expect.poll(slow.begun).toBe(2)
    slow.end('third')
    expect((await late).body.toString()).toBe('third')
  })

  it('of all threads goes stale with any board', async () => {
    await read(name('/', ['threads']), 'first')
    cache.changed(change('board:tech'))
    expect(await read(name('/', ['threads']), 'second')).toBe('second')
  })

  it('hears of one change twice and goes stale once', async () => {
    const written = change('thread:1')
    await read(name(), 'first')
    cache.changed(written)
    await read(name(), 'second')
    cache.changed(written)
    expect(await read(name(), 'third')).toBe('second')
  })

  it('hears of a change that was only feared once it is there', async () => {
    const written = change('thread:1')
    await read(name(), 'first')
    cache.maybeChanged(written)
    expect(await read(name(), 'second')).toBe('second')
    cache.changed(written)
    expect(await read(name(), 'third')).toBe('third')
    cache.changed(written)
    expect(await read(name(), 'fourth')).toBe('third')
  })

  it('is at most as old as it may be', async () => {
    await read(name(), 'first')
    time = MINUTE - 1
    expect(await read(name(), 'second')).toBe('first')
    time = MINUTE
    expect(await read(name(), 'second')).toBe('second')
  })

  it('shows the others that of a moment ago while one renders it anew', async () => {
    await read(name(), 'first')
    cache.changed(change('thread:1'))
    const slow = slowly()
    const first = cache.read(name(), nobody, slow.render)
    const others = await Promise.all(Array.from({ length: 20 }, () => cache.read(name(), nobody, slow.render)))
    expect(others.every(({ body }) => body.toString() === 'first')).toBe(true)
    expect(slow.begun()).toBe(1)
    slow.end('second')
    expect((await first).body.toString()).toBe('second')
    expect(await read(name(), 'third')).toBe('second')
  })

  it('is waited for by who has written, even where a rendering is under way that began before', async () => {
    const writer = () => 'writer'
    await read(name(), 'first')
    cache.changed(change('thread:1', 'somebody'))
    const slow = slowly()
    const early = cache.read(name(), nobody, slow.render)
    cache.changed(change('thread:1', 'writer'))
    const own = cache.read(name(), writer, slow.render)
    expect((await cache.read(name(), nobody, slow.render)).body.toString()).toBe('first')
    slow.end('without the own post')
    expect((await early).body.toString()).toBe('without the own post')
    await expect.poll(slow.begun).toBe(2)
    slow.end('with the own post')
    expect((await own).body.toString()).toBe('with the own post')
    expect(await read(name(), 'third', writer)).toBe('with the own post')
  })

  it('that was rendered while it changed is not taken for a new one', async () => {
    const slow = slowly()
    const early = cache.read(name(), nobody, slow.render)
    cache.changed(change('thread:1'))
    slow.end('old')
    await early
    expect(await read(name(), 'new')).toBe('new')
  })

  it('that nobody has yet is not had from a rendering that began before a change', async () => {
    const slow = slowly()
    const early = cache.read(name(), nobody, slow.render)
    cache.changed(change('thread:1'))
    const late = cache.read(name(), nobody, slow.render)
    slow.end('old')
    await early
    await expect.poll(slow.begun).toBe(2)
    slow.end('new')
    expect((await late).body.toString()).toBe('new')
  })

  it('is given in place of one that fails, and asked for again after a while', async () => {
    await read(name(), 'first')
    cache.changed(change('thread:1'))
    const fails = async () => {
      throw new Error('gone')
    }
    expect((await cache.read(name(), nobody, fails)).body.toString()).toBe('first')
    expect(await read(name(), 'second')).toBe('first')
    time += 2000
    expect((await cache.read(name(), nobody, async () => page('503', 'failed'))).body.toString()).toBe('first')
    time += 2000
    expect(await read(name(), 'second')).toBe('second')
    await expect(cache.read(name('/other'), nobody, fails)).rejects.toThrow('gone')
    expect((await cache.read(name('/other'), nobody, async () => page('503', 'failed'))).status).toBe(503)
  })

  it('that is about others shows their failure', async () => {
    const about = { ...name('/archive'), tellsFailure: true }
    await read(about, 'first')
    time = MINUTE
    expect((await cache.read(about, nobody, async () => page('away', 'failed'))).body.toString()).toBe('away')
    expect(await read(about, 'second')).toBe('second')
  })

  it('is forgotten when there is no such page any more', async () => {
    await read(name(), 'first')
    cache.changed(change('thread:1'))
    expect((await cache.read(name(), nobody, async () => page('gone', 'passing'))).status).toBe(404)
    expect(cache.stats().entries).toBe(0)
  })

  it('is dropped when changes may have been missed, also while it is being rendered', async () => {
    await read(name('/a'), 'first')
    const slow = slowly()
    const under = cache.read(name('/b'), nobody, slow.render)
    cache.clear()
    expect(cache.stats()).toMatchObject({ entries: 0, bytes: 0 })
    slow.end('old')
    await under
    expect(await read(name('/b'), 'new')).toBe('new')
  })

  it('is compressed once, and each form has a tag of its own', async () => {
    const text = 'a page of some length, '.repeat(200)
    const kept = await cache.read(name(), nobody, async () => page(text))
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

describe('the memory', () => {
  it('is bounded in bytes, all forms counted: what was not read the longest goes', async () => {
    cache = createPageCache({ bytes: 40_000, clock: () => time })
    const text = 'x'.repeat(5000)
    const keys = ['/a', '/b', '/c', '/d', '/e', '/f']
    for (const key of keys) await read(name(key), text)
    expect(cache.stats()).toMatchObject({ entries: 6, bytes: 30_000 })
    const kept = await cache.read(name('/a'), nobody, async () => page('new'))
    expect(kept.body.toString()).toBe(text)
    const more = (await kept.encoded('gzip')).length
    expect(cache.stats()).toMatchObject({ entries: 5, bytes: 25_000 + more })
    expect(await read(name('/a'), 'new')).toBe(text)
    expect(await read(name('/b'), 'new')).toBe('new')
  })

  it('is not filled by pages of which there is no end', async () => {
    await read(name('/home'), 'home')
    for (let number = 0; number < 500; number++) await read(name(`/?page=${number}`, [], true), 'x'.repeat(5000))
    expect(cache.stats().bytes).toBeLessThan(260_000)
    expect(await read(name('/home'), 'new')).toBe('home')
  })

  it('keeps nothing where it has no room', async () => {
    cache = createPageCache({ bytes: 0 })
    await read(name(), 'first')
    expect(await read(name(), 'second')).toBe('second')
  })
})

describe('the name of a page', () => {
  const key = (address: string) => namePage(address)?.name.key ?? null

  it('leaves out what makes no difference', () => {
    expect(key('/?utm_source=x')).toBe('/')
    expect(key('/dtpchan/board/tech?a=1&b=2')).toBe('/dtpchan/board/tech')
    expect(key('/dtpchan/board/tech?cursor=nonsense')).toBe('/dtpchan/board/tech')
    expect(key('/dtpchan/board/tech?x=1&cursor=1700000000000-12')).toBe('/dtpchan/board/tech?cursor=1700000000000-12')
    expect(key('/dtpchan/board/tech?cursor=01700000000000-0012')).toBe('/dtpchan/board/tech?cursor=1700000000000-12')
    expect(key('/today-in-tech?source=lwn.net&page=2&x')).toBe('/today-in-tech?page=2&source=lwn.net')
    expect(key('/programs-we-love?category=Security&x=1&q=a%20b')).toBe('/programs-we-love?q=a+b&category=Security')
    expect(key('/programs-we-love?q=what?x')).toBe('/programs-we-love?q=what%3Fx')
    expect(key('/archive?x=1&streamer=3')).toBe('/archive?streamer=3')
    expect(key('/dtpchan/index.pageContext.json?x=1')).toBe('/dtpchan/index.pageContext.json')
  })

  it('is not given to what is private, a form, or nothing at all', () => {
    const addresses = [
      '/paste/AAAA',
      '/image-share/AAAA',
      '/paste-service',
      '/image-sharing',
      '/login',
      '/nope',
      '/dtpchan/board/T%65ch',
      '/dtpchan/board/tech/thread/01',
      '/dtpchan/board/tech/thread/1/',
      '/today-in-tech?page=0',
      '/today-in-tech?page=',
      '/today-in-tech?page=1&page=2',
      '/dtpchan/board/tech?cursor=1-1&cursor=2-2',
    ]
    for (const address of addresses) expect(namePage(address), address).toBeNull()
  })

  it('is what other spellings of its address lead to, and nothing else', () => {
    expect(plainAddress('/dtpchan/board/t%65ch')).toBe('/dtpchan/board/tech')
    expect(plainAddress('/dtpchan%2Fboard/tech/?x=1&cursor=1-2')).toBe('/dtpchan/board/tech?cursor=1-2')
    expect(plainAddress('/sitemap%2Exml')).toBe('/sitemap.xml')
    expect(plainAddress('/today-in-tech/feed.atom/')).toBe('/today-in-tech/feed.atom')
    const others = [
      '/',
      '/dtpchan/board/tech?x=%65',
      '//about',
      '/%2Fabout',
      '/%5Cabout',
      '/about%2F%2F',
      '/%2561bout',
      '/dtpchan/board/%54ech',
      '/paste/%41',
      '/%2Fevil.example/about',
      '/about%3Fx',
    ]
    for (const address of others) expect(plainAddress(address), address).toBeNull()
  })

  it('carries what the page shows', () => {
    expect(namePage('/dtpchan/board/tech/thread/12')?.name).toMatchObject({
      tags: ['boards', 'thread:12'],
      endless: false,
    })
    expect(namePage('/dtpchan/board/tech/page.json?cursor=1700000000000-12&x=1')?.name).toMatchObject({
      key: '/dtpchan/board/tech/page.json?cursor=1700000000000-12',
      tags: ['boards', 'board:tech'],
      awaited: true,
    })
    expect(namePage('/dtpchan/board/tech?cursor=1700000000000-12')?.name).toMatchObject({
      tags: ['boards', 'board:tech'],
      endless: true,
    })
  })
})

it.each([
  ['br', 'gzip, deflate, br, zstd'],
  ['br', 'BR;q=0.1'],
  ['gzip', 'br;q=0.1, gzip;q=1.0'],
  ['gzip', 'br ; q=0.5,gzip'],
  ['br', 'gzip;q=0.5, br;q=0.5'],
  ['identity', 'identity, gzip;q=0.5'],
  ['gzip', 'br;q=high, gzip;q=0.001'],
  ['gzip', 'gzip;q=1.0, br;q=0'],
  ['gzip', 'br;q=0.0,gzip'],
  ['identity', 'deflate'],
  ['identity', 'gzip;q=0'],
  ['identity', 'brotli'],
  ['identity', undefined],
] as const)('takes %s where %s is accepted', (encoding, header) => {
  expect(chooseEncoding(header)).toBe(encoding)
})
