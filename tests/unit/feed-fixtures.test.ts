import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseFeed } from '#server/features/news/feed/parseFeed.ts'
import type { Feed, FeedItem } from '#server/features/news/feed/types.ts'

/** Expected result for a file in the fixtures folder. Omitted fields must be empty. */
type Expected = {
  what: string
  file: string
  contentType?: string
  url?: string
  feed?: Omit<Partial<Feed>, 'items'> & { items: Partial<FeedItem>[] }
  error?: string
}

const FOLDER = new URL('../fixtures/feeds/', import.meta.url)
const cases = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.expected.json'))
  .map((name): Expected => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')))

const read = ({ file, contentType, url = 'https://feeds.example.org/feed' }: Expected) =>
  parseFeed(readFileSync(new URL(file, FOLDER)), { contentType, url: new URL(url) })

describe('parseFeed', () => {
  test.each(cases.filter(({ feed }) => feed))('$file: $what', (expected) => {
    const feed = expected.feed as NonNullable<Expected['feed']>
    expect(JSON.parse(JSON.stringify(read(expected)))).toEqual({
      ttl: null,
      skipped: 0,
      ...feed,
      items: feed.items.map((item) => ({ guid: null, publishedAt: null, images: [], ...item })),
    })
  })
})

describe('parseFeed with other documents', () => {
  test.each(cases.filter(({ feed }) => !feed))('$file: $what', (expected) => {
    expect(() => read(expected)).toThrow(expect.objectContaining({ name: 'FeedParseError', message: expected.error }))
  })
})

test('every fixture has an expectation', () => {
  const files = readdirSync(FOLDER).filter((name) => !name.endsWith('.expected.json'))
  expect(cases.map(({ file }) => file).sort()).toEqual(files.sort())
  expect(files.length).toBeGreaterThan(50)
})
