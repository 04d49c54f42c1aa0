import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { findPageImage } from '#server/features/news/feed/content/pageImage.ts'
import { canonicalUrl } from '#server/features/news/feed/content/urls.ts'
import { parseFeed } from '#server/features/news/feed/parseFeed.ts'
import { type Feed, FeedParseError } from '#server/features/news/feed/types.ts'
import { decodeDeclared, readDeclaredEntities } from '#server/features/news/feed/xml/entities.ts'
import { isDeep, runs } from '#tests/helpers/depth.ts'
import { hostileFeeds } from '#tests/helpers/hostileFeeds.ts'
import { fc } from '#tests/helpers/property.ts'

const url = new URL('https://feeds.example.org/feed')
const FOLDER = new URL('../fixtures/feeds/', import.meta.url)
const fixtures = readdirSync(FOLDER)
  .filter((name) => !name.endsWith('.expected.json'))
  .map((name) => readFileSync(new URL(name, FOLDER)))

function tryRead(bytes: Uint8Array, contentType?: string): Feed | undefined {
  try {
    return parseFeed(bytes, { contentType, url })
  } catch (error) {
    expect(error).toBeInstanceOf(FeedParseError)
    expect((error as Error).message).not.toBe('')
    return undefined
  }
}

/** Checks invariants that hold for every parsed feed. */
function expectValid(feed: Feed) {
  expect(feed.items.length + feed.skipped).toBeLessThanOrEqual(500)
  expect(feed.title).not.toBe('')
  for (const { guid, url, title, publishedAt, images } of feed.items) {
    expect(title).toMatch(/^\S/)
    expect(title).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e]|\s$/u)
    expect(Array.from(title).length).toBeLessThanOrEqual(300)
    for (const link of [url, ...images]) {
      expect(link).toMatch(/^https?:\/\/[^/@]/)
      expect(link.length).toBeLessThanOrEqual(2000)
      expect(new URL(link).href).toBe(link)
    }
    expect(canonicalUrl(new URL(url))).toBe(url)
    expect(images.length).toBeLessThanOrEqual(4)
    expect(new Set(images).size).toBe(images.length)
    if (guid !== null) expect(guid).toMatch(/^[^\0]{1,1000}$/)
    if (publishedAt) expect(publishedAt.getUTCFullYear()).toBeGreaterThanOrEqual(1990)
    expect(`${title}${guid}`.isWellFormed()).toBe(true)
  }
}

function check(bytes: Uint8Array, contentType?: string) {
  const feed = tryRead(bytes, contentType)
  if (feed) expectValid(feed)
  findPageImage(bytes, { contentType, url })
}

const anyFixture = fc.nat({ max: fixtures.length - 1 }).map((index) => fixtures[index] as Buffer)
const contentType = fc.constantFrom(
  undefined,
  'text/xml',
  'text/xml; charset=utf-8',
  'text/xml; charset=iso-8859-1',
  'text/xml; charset=utf-16',
  'text/xml; charset=shift_jis',
)

describe('returns a valid feed or throws FeedParseError', () => {
  test('for random bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), contentType, (bytes, type) => check(bytes, type)),
      { numRuns: runs(500) },
    )
  })

  test('for feeds with overwritten bytes', () => {
    const places = fc.array(
      fc.tuple(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), fc.nat({ max: 255 })),
      {
        minLength: 1,
        maxLength: 30,
      },
    )
    fc.assert(
      fc.property(anyFixture, places, contentType, (fixture, overwritten, type) => {
        const bytes = Uint8Array.from(fixture)
        for (const [place, byte] of overwritten) bytes[Math.floor(place * bytes.length)] = byte
        check(bytes, type)
      }),
      { numRuns: runs(1000) },
    )
  })

  test('for feeds with inserted pieces of other feeds', () => {
    const piece = fc.record({ from: fc.nat(), length: fc.nat({ max: 80 }), to: fc.nat() })
    fc.assert(
      fc.property(anyFixture, anyFixture, fc.array(piece, { minLength: 1, maxLength: 5 }), (fixture, other, pieces) => {
        let bytes = fixture
        for (const { from, length, to } of pieces) {
          const start = from % other.length
          const at = to % bytes.length
          bytes = Buffer.concat([bytes.subarray(0, at), other.subarray(start, start + length), bytes.subarray(at)])
        }
        check(bytes)
      }),
      { numRuns: runs(1000) },
    )
  })

  test('for random markup', () => {
    const piece = fc.constantFrom(
      ...[
        '<rss>',
        '<channel>',
        '<item>',
        '</item>',
        '<title>',
        '</title>',
        '<link>',
        '</link>',
        'http://a.example.org/',
        '/b',
      ],
      ...[
        '<feed>',
        '<entry>',
        '<id>',
        '<link href="/c"/>',
        '<content type="xhtml">',
        '<div>',
        '</div>',
        '<guid>',
        'x',
        '&lt;b&gt;',
      ],
      ...[
        '<![CDATA[',
        ']]>',
        '<!--',
        '-->',
        '<?',
        '?>',
        '<!DOCTYPE [',
        '&',
        '&#',
        '<',
        '>',
        '"',
        "'",
        ' a=',
        '\u202e',
        '\0',
        '\ud83d',
      ],
      ...[
        '<media:group>',
        '<media:content url="d.png">',
        '<description>',
        '<img src="/e.jpg">',
        'xml:base="/f/" ',
        '{"items":[',
        '{}]}',
      ],
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.boolean(), (pieces, begun) =>
        check(Buffer.from(`${begun ? '<rss><channel><item>' : ''}${pieces.join('')}`)),
      ),
      { numRuns: runs(2000) },
    )
  })

  test('for random titles and URLs', () => {
    const text = fc.string({ unit: 'binary', maxLength: 400 })
    fc.assert(
      fc.property(text, text, (title, link) => {
        const item = { title, url: `https://a.example.org/${link}`, id: link, content_html: title, image: link }
        const feed = parseFeed(Buffer.from(JSON.stringify({ items: [item, { ...item, url: link }] })), { url })
        expectValid(feed)
        expect(feed.items.length).toBeGreaterThan(0)
      }),
      { numRuns: runs(500) },
    )
  })

  test('for a feed truncated anywhere', () => {
    for (const name of ['rss-2.0.xml', 'atom-1.0-types.xml', 'ill-formed.xml', 'json-feed-1.1.jsonfeed']) {
      const whole = readFileSync(new URL(name, FOLDER))
      const urls = new Set(tryRead(whole)?.items.map((item) => item.url))
      for (let length = 0; length < whole.length; length += isDeep ? 1 : 23) {
        const feed = tryRead(whole.subarray(0, length))
        if (!feed) continue
        expectValid(feed)
        // The parser must drop a truncated URL.
        for (const item of feed.items) expect(urls).toContain(item.url)
      }
    }
  })
})

test('expands declared entities a limited number of times, and keeps the others as they are written', () => {
  const declared = readDeclaredEntities(`<!DOCTYPE rss [<!ENTITY aa "${'x'.repeat(200)}">]>`)
  const text = decodeDeclared('&aa;'.repeat(5000), declared)
  expect(text).toBe('x'.repeat(200 * 2000) + '&aa;'.repeat(3000))
})

describe('parses hostile documents', () => {
  const rss = (rest: string) => `<rss><channel><title>t</title><link>http://a.example.org/</link>${rest}`

  // Quadratic time would take minutes.
  test.each(Object.entries(hostileFeeds))('%s', (_what, create) => check(Buffer.from(create(1_000_000))))

  test('ignores elements below the maximum depth', () => {
    const deep = `<item><link>/1</link><description>${'<b>'.repeat(300)}<media:group></description></item>`
    const feed = tryRead(Buffer.from(rss(`${deep}<item><media:group></media:group><link>/2</link></item>`)))
    expect(feed?.items.map((item) => item.url)).toEqual(['http://a.example.org/1', 'http://a.example.org/2'])
  })

  test('reads only the first 500 entries', () => {
    const feed = tryRead(
      Buffer.from(rss(Array.from({ length: 600 }, (_, n) => `<item><link>/${n}</link></item>`).join(''))),
    )
    expect(feed?.items).toHaveLength(500)
    expect(feed?.items.at(-1)?.url).toBe('http://a.example.org/499')
    const empty = tryRead(Buffer.from(rss('<item/>'.repeat(100_000))))
    expect(empty?.skipped).toBe(500)
    const json = JSON.stringify({ items: Array.from({ length: 600 }, (_, n) => ({ url: `/${n}` })) })
    expect(tryRead(Buffer.from(json))?.items).toHaveLength(500)
  })
})
