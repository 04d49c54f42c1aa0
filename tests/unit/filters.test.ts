import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  compileFilters,
  type Filter,
  findFilter,
  parseFilterValue,
} from '#server/features/moderation/admission/compileFilters.ts'
import { cleanText } from '#server/features/moderation/admission/filterText.ts'
import { type FilterField, filterLimits } from '#src/contract/filters.ts'
import { t } from '#src/i18n/t.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import { filteredTexts, manyFilters, randomBits, slowPatterns } from '#tests/helpers/hostileTexts.ts'
import { fc } from '#tests/helpers/property.ts'

let id = 0
const filter = (kind: Filter['kind'], value: string, more: Partial<Filter> = {}): Filter => ({
  id: ++id,
  kind,
  value: parseFilterValue({ kind, value }),
  fields: ['post'],
  effect: 'refuse',
  message: '',
  replacement: '',
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
    ['a*', t('moderation.filterMatchesAll')],
    ['x|', t('moderation.filterMatchesAll')],
    ['(\\pL{100}){10}x', t('moderation.filterPatternSize')],
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
    expect(() => parseFilterValue({ kind: 'domain', value })).toThrow(t('moderation.filterDomain'))
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
  const compile = (values: readonly (readonly [Filter['kind'], string])[]) =>
    compileFilters(
      values.map(([kind, value]) => filter(kind, value)),
      fail,
    )
  const slow = compile(slowPatterns)
  const longPaste = filteredTexts['many words']?.(1024 * 1024) ?? ''
  afterEach(() => vi.restoreAllMocks())

  test.each(Object.entries(filteredTexts))('is short enough for 200 filters and a long text of %s', (_, create) => {
    expect(findFilter(compile(manyFilters), 'post', create(50_000))).toBeNull()
  })

  test('is short enough for 200 filters and the longest paste', () => {
    expect(findFilter(compile(manyFilters), 'post', longPaste)).toBeNull()
  })

  test.each(['(a+)+!', '(a|aa)+!', '(.*a){20}!', '(a|b)*a(a|b){18}!'])('is linear for the pattern %s', (value) => {
    expect(find([filter('pattern', value)], 'a'.repeat(20_000))).toBeNull()
  })

  test.runIf(isDeep)('ends with a refusal if a text was written to make a pattern slow', () => {
    expect(() => findFilter(slow, 'post', randomBits(200_000))).toThrow(t('moderation.filterTooSlow'))
  })

  test('ends with a refusal if the processor needs too long', () => {
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 10_000))
    const clock = 'threadCpuUsage' in process ? 'threadCpuUsage' : 'cpuUsage'
    vi.spyOn(process, clock as 'cpuUsage').mockImplementation(() => ({ user: now * 1000, system: 0 }))
    expect(() => findFilter(compile(manyFilters), 'post', 'short')).toThrow(t('moderation.filterTooSlow'))
  })

  test('does not count the time that the thread waits for a processor', () => {
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 10_000))
    expect(findFilter(compile(manyFilters), 'post', longPaste)).toBeNull()
  })
})

test('texts in ASCII stay as they are', () => {
  expect(cleanText('A  b\n\tC')).toBe('A  b\n\tC')
})
