import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readFeed } from '#server/features/news/feed/readFeed.ts'
import type { Feed, FeedItem } from '#server/features/news/feed/types.ts'

/** What a feed file shows, and what is to be read from it; what it does not say is nothing. */
type Expected = {
  what: string
  file: string
  contentType?: string
  url?: string
  feed?: Omit<Partial<Feed>, 'items'> & { items: Partial<FeedItem>[] }
  unreadable?: string
}

const FOLDER = new URL('../fixtures/feeds/', import.meta.url)
const cases = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.expected.json'))
  .map((name): Expected => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')))

const read = ({ file, contentType, url = 'https://feeds.example.org/feed' }: Expected) =>
  readFeed(readFileSync(new URL(file, FOLDER)), { contentType, url: new URL(url) })

describe('feeds', () => {
  test.each(cases.filter(({ feed }) => feed))('$file: $what', (expected) => {
    const feed = expected.feed as NonNullable<Expected['feed']>
    expect(JSON.parse(JSON.stringify(read(expected)))).toEqual({
      ttl: null,
      passedOver: 0,
      ...feed,
      items: feed.items.map((item) => ({ guid: null, publishedAt: null, images: [], ...item })),
    })
  })
})

describe('what is no feed is refused with a plain reason', () => {
  test.each(cases.filter(({ feed }) => !feed))('$file: $what', (expected) => {
    expect(() => read(expected)).toThrow(
      expect.objectContaining({ name: 'FeedUnreadable', message: expected.unreadable }),
    )
  })
})

test('every file has its expectation', () => {
  const files = readdirSync(FOLDER).filter((name) => !name.endsWith('.expected.json'))
  expect(cases.map(({ file }) => file).sort()).toEqual(files.sort())
  expect(files.length).toBeGreaterThan(50)
})
