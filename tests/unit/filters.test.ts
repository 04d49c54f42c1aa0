import { describe, expect, test } from 'vitest'
import { compileFilters, type Filter, findFilter, parseFilterValue } from '#server/core/moderation/filters.ts'
import { cleanText } from '#server/core/moderation/filterText.ts'
import { filterLimits, filterMessages } from '#src/contract/filters.ts'
import type { FilterField } from '#src/contract/moderation.ts'
import { cpuTimeOf } from '#tests/helpers/cpuTime.ts'
import { fc } from '#tests/helpers/property.ts'

let id = 0
const filter = (kind: Filter['kind'], value: string, more: Partial<Filter> = {}): Filter => ({
  id: ++id,
  kind,
  value: parseFilterValue({ kind, value }),
  fields: ['post'],
  effect: 'refuse',
  message: '',
  ...more,
})

function fail(_: Filter, error: unknown): never {
  throw error
}
const find = (filters: Filter[], text: string, field: FilterField = 'post') =>
  findFilter(compileFilters(filters, fail), field, text)
const matches = (kind: Filter['kind'], value: string, text: string) => find([filter(kind, value)], text) !== null

describe('a literal', () => {
  test.each([
    ['cheap pills', 'Buy CHEAP pills now'],
    ['cheap pills', 'cheap\n  pills'],
    ['cheap pills', 'c\u200bh\u00ade\u2060a\ufe0fp pills'],
    ['cheap pills', 'ｃｈｅａｐ　ｐｉｌｌｓ'],
    ['cheap pills', '𝓬𝓱𝓮𝓪𝓹 𝗽𝗶𝗹𝗹𝘀'],
    ['cheap pills', 'c\u0336h\u0336e\u0336a\u0336p\u0336 p\u0316\u0336\u0317\u0347\u0330ills'],
    ['ｃｈｅａｐ', 'cheap'],
    ['café', 'CAFE\u0301'],
    ['ПРИВЕТ', 'привет'],
    ['a.b*c', 'xa.B*cx'],
    ['💊', 'buy 💊💊'],
    ['(', ':('],
  ])('%j is found in %j', (value, text) => {
    expect(matches('literal', value, text)).toBe(true)
  })

  test.each([
    ['a.b*c', 'aXbbbc'],
    ['cheap pills', 'cheappills'],
    ['cafe', 'café'],
  ])('%j is not found in %j', (value, text) => {
    expect(matches('literal', value, text)).toBe(false)
  })

  test('is found anywhere in a text, also with invisible characters between its letters', () => {
    const word = fc.stringMatching(/^[a-zäöя0-9.*+?()[\]\\^$|-]{1,20}$/)
    const invisible = fc.constantFrom('', '\u200b', '\u200d', '\u00ad', '\ufeff', '\u2063')
    fc.assert(
      fc.property(word, invisible, fc.string(), fc.string(), (value, between, before, after) => {
        const hidden = [...value.toUpperCase()].join(between)
        fc.pre(hidden.toLowerCase() === [...value].join(between))
        expect(matches('literal', value, `${before} ${hidden} ${after}`)).toBe(true)
      }),
    )
  })
})

describe('a pattern', () => {
  test.each([
    ['\\bv[i1!]agra\\b', 'get V1AGRA here'],
    ['^spam$', 'first line\nSPAM\nlast line'],
    ['(?-i)SPAM', 'SPAM'],
    ['v[i1]agra', 'v\u200bi\u00adagra'],
    ['(?P<name>one)', 'one'],
    ['(?P<name>two)', 'two'],
  ])('%j matches %j', (value, text) => {
    expect(find([filter('pattern', '(?P<name>other)'), filter('pattern', value)], text)).not.toBeNull()
  })

  test.each([
    ['\\bass\\b', 'a class'],
    ['(?-i)SPAM', 'spam'],
  ])('%j does not match %j', (value, text) => {
    expect(matches('pattern', value, text)).toBe(false)
  })

  test.each([
    ['(a', /missing closing \)/],
    ['a{2,1}', /invalid repeat count/],
    ['(?=a)b', /invalid or unsupported Perl syntax/],
    ['(a)\\1', /invalid escape sequence/],
    ['a*', filterMessages.matchesAll],
    ['x|', filterMessages.matchesAll],
    ['(\\pL{100}){10}x', filterMessages.patternSize],
    ['((a{100}){100}){100}', /invalid repeat count/],
  ])('%j is refused', (value, reason) => {
    expect(() => parseFilterValue({ kind: 'pattern', value })).toThrow(reason)
  })

  test('of any text is either refused with a text, or compiles', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: filterLimits.value }), (value) => {
        try {
          parseFilterValue({ kind: 'pattern', value })
        } catch (error) {
          expect(error).toMatchObject({ code: 'BAD_REQUEST' })
          return
        }
        expect(() => find([filter('pattern', value)], 'a text')).not.toThrow()
      }),
    )
  })
})

describe('a domain', () => {
  test.each([
    'https://spam.example',
    'https://www.spam.example/path?q#f',
    'HTTP://SPAM.EXAMPLE:8080',
    'https://spam.example./',
    'https://user:pw@spam.example/',
    'https://good.test@spam.example/',
    'https://s%70am.example/',
    'https:\\\\spam.example\\x',
    'http:spam.example',
    'https://spam。example/',
    'https://ｓｐａｍ．example/',
    'https://sp\u00adam.exa\u200bmple/',
    'see spam.example.',
    '(spam.example)',
    'a@spam.example',
    '请访问spam.example吧',
    '//spam.example/x',
    '[x](https://a.b.spam.example)',
    'a_b.spam.example',
  ])('is found in %j', (text) => {
    expect(matches('domain', 'spam.example', text)).toBe(true)
  })

  test.each([
    'https://notspam.example/',
    'https://spam.example.test/',
    'https://not-spam.example/',
    'äspam.example',
    'spam. example',
    'spam..example',
    `https://${'a.'.repeat(200)}test`,
    'https://[::1]/',
    'http://',
  ])('is not found in %j', (text) => {
    expect(matches('domain', 'spam.example', text)).toBe(false)
  })

  test.each([
    ['bücher.example', 'https://xn--bcher-kva.example/'],
    ['xn--bcher-kva.example', 'https://BÜCHER.example/'],
    ['bücher.example', 'bu\u0308cher.example'],
    ['💩.la', 'https://💩.la/'],
    ['127.0.0.1', 'http://2130706433/'],
    ['Spam.Example.', 'spam.example'],
  ])('%j is found in %j', (value, text) => {
    expect(matches('domain', value, text)).toBe(true)
  })

  test.each([
    'example',
    'https://a.example',
    'a.example/path',
    'a.example:80',
    'u@a.example',
    'a b.example',
    'a..example',
    '.example',
    '*.a.example',
    `${'a'.repeat(64)}.example`,
    'a.'.repeat(90),
    '%61.example',
  ])('%j is refused', (value) => {
    expect(() => parseFilterValue({ kind: 'domain', value })).toThrow(filterMessages.domain)
  })

  test('is found behind any subdomain, port and path', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), (url) => {
        const { hostname } = new URL(url)
        fc.pre(/^[a-z0-9-]+(\.[a-z0-9-]+){1,5}$/.test(hostname) && !hostname.includes('xn--'))
        expect(matches('domain', hostname, `text ${url} text`)).toBe(true)
        expect(matches('domain', hostname, `https://www.${hostname}:81/`)).toBe(true)
        expect(matches('domain', `sub.${hostname}`, `https://${hostname}/`)).toBe(false)
      }),
    )
  })
})

describe('several filters', () => {
  test('apply only to their fields', () => {
    const filters = [filter('literal', 'spam', { fields: ['name', 'paste'] })]
    expect(find(filters, 'spam', 'post')).toBeNull()
    expect(find(filters, 'spam', 'name')).toBe(filters[0])
    expect(find(filters, 'spam', 'paste')).toBe(filters[0])
  })

  test('refuse rather than hold', () => {
    const holds = filter('literal', 'spam', { effect: 'hold' })
    const refuses = filter('domain', 'spam.example')
    expect(find([holds, refuses], 'spam')).toBe(holds)
    expect(find([holds, refuses], 'spam on spam.example')).toBe(refuses)
  })

  test('work without one that does not compile', () => {
    const bad = { ...filter('literal', 'x'), kind: 'pattern' as const, value: '(' }
    const good = filter('literal', 'spam')
    const invalid: Filter[] = []
    const compiled = compileFilters([bad, good], (given) => invalid.push(given))
    expect(invalid).toEqual([bad])
    expect(findFilter(compiled, 'post', 'spam')).toBe(good)
  })
})

describe('the time of a match', () => {
  const words = Array.from({ length: 2000 }, (_, index) => `w${(index * 7919).toString(36)}`)
  const text = (length: number) => {
    let written = ''
    for (let at = 0; written.length < length; at++) written += `${words[(at * 31) % words.length]} `
    return written.slice(0, length)
  }
  const timed = (filters: Filter[], given: string) => {
    const compiled = compileFilters(filters, fail)
    try {
      findFilter(compiled, 'post', given)
    } catch {}
    const result: { found?: Filter | null; error?: unknown } = {}
    const ms = cpuTimeOf(() => {
      try {
        result.found = findFilter(compiled, 'post', given)
      } catch (error) {
        result.error = error
      }
    })
    return { ...result, ms }
  }
  const filters = Array.from({ length: 200 }, (_, index) => {
    const value = `q${index}z`
    if (index % 3 === 0) return filter('literal', `${value} ${value}`)
    return index % 3 === 1
      ? filter('domain', `${value}.example`)
      : filter('pattern', `\\b${value}\\b.{0,20}(${value}|${value}s)`)
  })

  // The limits are about ten times the time on one slow core.
  test.each([
    ['a long post', 20_000, 50],
    ['a long paste', 1024 * 1024, 1000],
  ])('of 200 filters and %s is short', (_, length, limit) => {
    const { found, ms } = timed(filters, text(length))
    expect(found).toBeNull()
    expect(ms).toBeLessThan(limit)
  })

  test('is bounded for patterns that take exponential time in other libraries', () => {
    for (const value of ['(a+)+!', '(a|aa)+!', '(.*a){20}!', '(a|b)*a(a|b){18}!']) {
      expect(timed([filter('pattern', value)], 'a'.repeat(20_000)).ms).toBeLessThan(1000)
    }
  })

  test('ends with a refusal if a text was written to make a pattern slow', () => {
    const slow = Array.from({ length: 5 }, (_, index) => filter('pattern', `[ab]*a[ab]{480}[c-${'efghi'[index]}]`))
    const bits = Array.from({ length: 200_000 }, () => (Math.random() < 0.5 ? 'a' : 'b')).join('')
    const { error, ms } = timed(slow, bits)
    expect(error).toMatchObject({ message: filterMessages.tooSlow })
    expect(ms).toBeLessThan(5000)
  })

  test.each([
    ['combining marks', 'a\u0301\u0316'.padEnd(300_000, '\u0301\u0316')],
    ['halfwidth sound marks', 'a'.padEnd(300_000, '\uff9e\u0316')],
    ['ligatures that expand', '\ufdfa'.repeat(300_000)],
    ['dots', 'a.'.repeat(300_000)],
    ['hosts', 'a.b '.repeat(150_000)],
    ['hosts with other letters', 'ä.b '.repeat(150_000)],
    ['URLs', 'http://a.b '.repeat(60_000)],
    ['schemes', 'http:'.repeat(120_000)],
  ])('is bounded for %s', (_, given) => {
    expect(timed(filters, given).ms).toBeLessThan(5000)
  })
})

test('texts in ASCII stay as they are', () => {
  expect(cleanText('A  b\n\tC')).toBe('A  b\n\tC')
})
