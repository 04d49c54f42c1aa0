import { describe, expect, test } from 'vitest'
import { hashUrl, toCandidates } from '#server/features/news/candidates.ts'
import type { FeedItem } from '#server/features/news/feed/types.ts'
import { type KnownArticle, matchArticles } from '#server/features/news/matchArticles.ts'

const now = new Date('2026-11-21T12:00:00Z')
const DAY = 24 * 3_600_000
const HERE = 'https://here.example/feed'

const item = (url: string, more: Partial<FeedItem> = {}): FeedItem => ({
  guid: null,
  url: `https://site.example/${url}`,
  title: url,
  publishedAt: new Date('2026-11-20T12:00:00Z'),
  images: [],
  ...more,
})
const candidates = (...items: FeedItem[]) => toCandidates({ items }, now)

/** Converts feed items to articles that are already stored. */
const stored = (items: FeedItem[], feedUrl = HERE): KnownArticle[] =>
  candidates(...items).map((candidate, index) => ({
    ...candidate,
    id: index + 1,
    feedUrl,
    source: 'site',
    seenAt: now,
    ...{ imageId: null, imageUrls: [] },
  }))

const match = (items: FeedItem[], known: KnownArticle[]) => {
  const { added, own, others, displaced } = matchArticles(candidates(...items), known, HERE)
  return {
    added: added.map(({ title }) => title),
    own: own.map(({ row, candidate }) => [row.id, candidate.title]),
    others: others.map(({ row, candidate }) => [row.id, candidate.title]),
    displaced: displaced.map(({ id }) => id),
  }
}
const nothing = { added: [], own: [], others: [], displaced: [] }

describe('toCandidates', () => {
  test('replaces missing and future dates, and skips old items', () => {
    const [given, missing, future, ...rest] = candidates(
      item('given'),
      item('missing', { publishedAt: null }),
      item('future', { publishedAt: new Date('3000-01-01') }),
      item('old', { publishedAt: new Date(now.getTime() - 60 * DAY - 1) }),
      item('old enough', { url: 'https://site.example/edge', publishedAt: new Date(now.getTime() - 60 * DAY) }),
      item('first', { publishedAt: new Date(-8.64e15) }),
    )
    expect(given).toMatchObject({ publishedAt: new Date('2026-11-20T12:00:00Z'), dated: true })
    expect(missing).toMatchObject({ publishedAt: new Date(now.getTime() - 2), dated: false })
    expect(future).toMatchObject({ publishedAt: new Date(now.getTime() - 3), dated: false })
    expect(rest.map(({ title }) => title)).toEqual(['old enough'])
  })

  test('keeps each guid once, and items with one URL if their guid and title or date differ', () => {
    const items = candidates(
      item('a', { guid: '1' }),
      item('a', { guid: '1', title: 'the guid again' }),
      item('a', { guid: '2' }),
      item('a', { guid: '3', title: 'another title' }),
      item('a', { guid: '4', publishedAt: now }),
      item('b', { guid: '1' }),
    )
    expect(items.map(({ title }) => title)).toEqual(['a', 'another title', 'a', 'b'])
    expect(new Set(items.map(({ guid }) => guid)).size).toBe(4)
  })

  test('keeps items with one URL and no guids if their title or date differs', () => {
    const items = [item('a'), item('a', { title: 'b' }), item('a'), item('a', { publishedAt: now })]
    expect(candidates(...items).map(({ title }) => title)).toEqual(['a', 'b', 'a'])
    const undated = items.map((one) => ({ ...one, publishedAt: null }))
    expect(candidates(...undated).map(({ title }) => title)).toEqual(['a', 'b'])
  })

  test('distinguishes a guid from an equal URL', () => {
    const url = 'https://site.example/a'
    const [named, unnamed] = [candidates(item('b', { guid: url })), candidates(item('a'))]
    expect(named[0]?.guid).not.toBe(unnamed[0]?.guid)
  })

  test('keeps the newest 200 items', () => {
    const many = Array.from({ length: 300 }, (_, day) =>
      item(`n${day}`, { publishedAt: new Date(now.getTime() - (300 - day) * 60_000) }),
    )
    const kept = candidates(...many)
    expect([kept.length, kept[0]?.title, kept.at(-1)?.title]).toEqual([200, 'n299', 'n100'])
  })

  test('removes text and URLs that cannot be stored or shown', () => {
    const odd = candidates(
      item('a', { title: 'nul\0 and \ud800 half', images: ['javascript:1', `https://x.example/${'x'.repeat(3000)}`] }),
      item('b', { title: '\0' }),
      item('c', { url: 'javascript:alert(1)' }),
      item('d', { url: `https://site.example/${'x'.repeat(3000)}` }),
      item('e', { url: 'https://' }),
    )
    expect(odd.map(({ title, images }) => [title, images])).toEqual([['nul and \ufffd half', []]])
    expect(candidates(item('f', { title: 'x'.repeat(10_000) }))[0]?.title).toHaveLength(400)
  })

  test.each([
    ['http://a.example/x', 'https://a.example/x', true],
    ['https://a.example/x/', 'https://a.example/x', true],
    ['https://a.example/x/?q=1', 'https://a.example/x?q=1', true],
    ['https://a.example/', 'https://a.example', true],
    ['https://a.example/x', 'https://a.example/X', false],
    ['https://a.example/x?q=1', 'https://a.example/x?q=2', false],
    ['https://a.example/x?q=1/', 'https://a.example/x?q=1', false],
    ['https://a.example/x', 'https://b.example/x', false],
  ])('considers %s and %s equal: %s', (url, other, equal) => {
    expect(hashUrl(url) === hashUrl(other)).toBe(equal)
  })
})

describe('matchArticles', () => {
  test('matches by guid if the URL changed, and by URL if the guid changed', () => {
    const known = stored([item('a', { guid: '1' }), item('b', { guid: '2' })])
    const items = [item('a2', { guid: '1' }), item('b', { guid: '22' }), item('c', { guid: '3' })]
    expect(match(items, known)).toEqual({
      ...nothing,
      own: [
        [1, 'a2'],
        [2, 'b'],
      ],
      added: ['c'],
    })
  })

  test('matches articles of another feed only by URL', () => {
    const known = stored([item('a', { guid: '1' })], 'https://there.example/feed')
    const items = [item('a', { guid: '7', title: 'here' }), item('b', { guid: '1' })]
    expect(match(items, known)).toEqual({ ...nothing, others: [[1, 'here']], added: ['b'] })
  })

  test('follows articles of a feed that numbers its items from the top', () => {
    const known = stored([item('a', { guid: '1' }), item('b', { guid: '2' }), item('c', { guid: '3' })])
    const items = [item('new', { guid: '1' }), item('a', { guid: '2' }), item('b', { guid: '3' })]
    const found = match(items, known)
    expect(found).toMatchObject({
      added: ['new'],
      own: [
        [1, 'a'],
        [2, 'b'],
      ],
    })
    // Other items now have the guids of all three known articles, even of article 3, which is no longer listed.
    expect(found.displaced).toEqual([1, 2, 3])
  })

  test('treats a reused guid with another title, date and URL as a new article', () => {
    const known = stored([item('a', { guid: 'latest' })])
    const next = item('b', { guid: 'latest', publishedAt: new Date('2026-11-21T08:00:00Z') })
    expect(match([next], known)).toEqual({ ...nothing, added: ['b'], displaced: [1] })
    expect(match([{ ...next, title: 'a' }], known).own).toEqual([[1, 'a']])
    expect(match([{ ...next, publishedAt: null }], known).own).toEqual([[1, 'b']])
  })

  test('matches by URL if two articles swapped guids', () => {
    const known = stored([item('a', { guid: '1' }), item('b', { guid: '2' })])
    expect(match([item('b', { guid: '1' }), item('a', { guid: '2' })], known).own).toEqual([
      [2, 'b'],
      [1, 'a'],
    ])
  })

  test('matches the article at the old URL, not the moved one', () => {
    const known = stored([item('a', { guid: '1' })])
    expect(match([item('a2', { guid: '1' }), item('a', { guid: '9' })], known)).toMatchObject({
      own: [[1, 'a']],
      added: ['a2'],
    })
  })
  describe('of a feed whose items have one URL', () => {
    const day = (n: number) => new Date(now.getTime() - n * DAY)
    const status = (n: number, more: Partial<FeedItem> = {}) =>
      item('status', { guid: `${n}`, title: `incident ${n}`, publishedAt: day(9 - n), ...more })

    test.each([
      ['has other titles and dates', (n: number) => status(n)],
      ['repeats a title', (n: number) => status(n, { title: 'Maintenance' })],
      ['has no guids', (n: number) => status(n, { guid: null })],
      ['has new guids in each response', (n: number) => status(n, { guid: `${n} ${Math.random()}` })],
      ['numbers its items from the top', (n: number) => status(n, { guid: `${9 - n}` })],
    ])('adds the new item if it %s', (_name, create) => {
      const known = stored([3, 2, 1].map(create))
      const { added, own } = match([4, 3, 2].map(create), known)
      expect([added, own.map(([id]) => id)]).toEqual([[create(4).title], [1, 2]])
    })

    test('adds an item that alone has replaced the others', () => {
      expect(match([status(2)], stored([status(1)])).added).toEqual(['incident 2'])
    })

    test('matches an article that is alone if its guid and either title or date changed', () => {
      const known = stored([status(1)])
      expect(match([status(1, { guid: '7', title: 'edited' })], known).own).toEqual([[1, 'edited']])
      expect(match([status(1, { guid: '7', publishedAt: day(1) })], known).own).toEqual([[1, 'incident 1']])
    })

    test('matches articles of another feed by URL and guid', () => {
      const known = stored([status(2), status(1)], 'https://there.example/feed')
      const { added, others } = match([status(3), status(2)], known)
      expect([added, others]).toEqual([['incident 3'], [[1, 'incident 2']]])
    })
  })
})
