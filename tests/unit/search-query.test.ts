import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { formatCursor, parseCursor } from '#server/features/search/calls.ts'
import { coverDays } from '#server/features/search/dayLabels.ts'
import { SEARCH_CURSOR, searchInput, searchPath } from '#src/contract/search.ts'
import { findWords, parseSearchQuery } from '#src/contract/searchQuery.ts'
import { refusalText } from '#src/i18n/refusalText.ts'
import { excerptAround, splitMatches } from '#src/lib/highlight.ts'
import { markRuns } from '#tests/helpers/hostileTexts.ts'
import { fc } from '#tests/helpers/property.ts'

const refusedText = ({ error }: z.ZodSafeParseResult<unknown>) => refusalText(error?.issues[0]?.message ?? '')

describe('a query', () => {
  test.each([
    ['two words', { terms: [['two'], ['words']] }],
    ['"Kernel PANIC" -usb', { terms: [['kernel', 'panic']], excluded: [['usb']] }],
    ['-"not this" that', { terms: [['that']], excluded: [['not', 'this']] }],
    ['etc/passwd ???', { terms: [['etc', 'passwd']] }],
    ['C C++ c#', { terms: [['c'], ['cplusplus'], ['csharp']] }],
    ['F# (.NET) C++11', { terms: [['fsharp'], ['dotnet'], ['cplusplus', '11']] }],
    ['example.net notepad++ .network', { terms: [['example', 'net'], ['notepad'], ['network']] }],
    ['"never closed', { terms: [['never', 'closed']] }],
    ['nick:Ferrite NICK:"John Doe" -nick:bot', { nicks: ['Ferrite', 'John Doe'], excludedNicks: ['bot'] }],
    ['Ärger café ﬁne Ⅷ', { terms: [['arger'], ['cafe'], ['fine'], ['viii']] }],
    ['ЁЛКА', { terms: [['елка']] }],
    [
      '日本 サーバー',
      {
        terms: [
          ['日', '本'],
          ['サ', 'ー', 'バ', 'ー'],
        ],
      },
    ],
    ['nick:"" - "" -', {}],
  ])('%s', (text, expected) => {
    expect(parseSearchQuery(text)).toEqual({ terms: [], excluded: [], nicks: [], excludedNicks: [], ...expected })
  })

  test.each([
    ['', 'Type something to search for'],
    ['  ', 'Type something to search for'],
    ['?! …', 'Type something to search for'],
    ['x'.repeat(201), 'A search can have at most 200 characters'],
    ['a b '.repeat(9), 'A search can have at most 16 words'],
    ['"a a a a a a a a a a a a a a a a a"', 'A search can have at most 16 words'],
    ['-word', 'Add a word or a nick to find. Words with a minus only leave posts out.'],
    ['a\0b', 'Text contains characters that cannot be stored'],
    ['a\ud800', 'Text contains characters that cannot be stored'],
  ])('%j is refused', (q, message) => {
    expect(refusedText(searchInput.safeParse({ q }))).toBe(message)
  })

  test.each([
    [{ from: '2026-02-30' }, 'Dates must be like 2026-01-31'],
    [{ from: '31/01/2026' }, 'Dates must be like 2026-01-31'],
    [{ from: '2026-02-01', to: '2026-01-31' }, 'The first day must not be after the last day'],
    [{ sort: 'rank' }, 'sort must be relevance or date'],
    [{ images: 'yes' }, 'images must be true or false'],
  ])('with %j is refused', (fields, message) => {
    expect(refusedText(searchInput.safeParse({ q: 'word', ...fields }))).toBe(message)
  })

  test('with empty fields is not restricted', () => {
    const fields = { board: '', from: '', to: '', images: '', sort: '' }
    expect(searchInput.parse({ q: 'word', ...fields })).toEqual({ q: parseSearchQuery('word') })
  })

  test('has a short URL', () => {
    expect(searchPath({ q: '"a b"', board: 'tech', from: '', images: 'true', sort: 'relevance' }, '5')).toBe(
      '/search?q=%22a+b%22&board=tech&images=true&cursor=5',
    )
    expect(searchPath({})).toBe('/search')
  })
})

describe('days', () => {
  const now = new Date('2026-11-23T12:00:00Z')

  test.each([
    ['2026-02-27', '2026-03-02', 'd20260227 d20260228 d20260301 d20260302'],
    ['2024-02-29', '2024-02-29', 'd20240229'],
    ['2025-11-30', '2027-01-01', 'd20251130 m202512 y2026 d20270101'],
    ['2026-01-01', '2026-12-31', 'y2026'],
    ['2026-12-01', undefined, 'm202612 y2027'],
    [undefined, '1991-01-01', 'y1990 d19910101'],
    ['2030-01-01', '2030-01-02', ''],
    [undefined, '1980-01-01', ''],
  ])('from %s to %s are covered exactly', (from, to, expected) => {
    expect(coverDays({ from, to }, now).join(' ')).toBe(expected)
  })

  test('need few labels, however long the time is', () => {
    expect(coverDays({ from: '0001-01-02', to: '9999-12-30' }, now)).toHaveLength(38)
    expect(coverDays({ from: '1990-01-02', to: '2026-12-30' }, now).length).toBeLessThan(120)
  })
})

describe('a cursor', () => {
  const hit = { id: 5, newest: 9 }

  // Ranks become so low if the words are far apart.
  test.each([1 / 900_000, 1 / 90_000, 1e-30, 0, 1])('has the rank %s', (rank) => {
    const cursor = formatCursor('relevance', { ...hit, rank })
    expect(cursor).toMatch(SEARCH_CURSOR)
    expect(parseCursor(cursor)).toEqual({ newest: 9, last: { id: 5, rank } })
  })

  test('has any rank', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (rank) => {
        expect(formatCursor('relevance', { ...hit, rank })).toMatch(SEARCH_CURSOR)
      }),
    )
  })
})

describe('matches', () => {
  const marked = (text: string, query: string) =>
    splitMatches(text, parseSearchQuery(query).terms)
      .map(({ text, isMatch }) => (isMatch ? `[${text}]` : text))
      .join('')

  test.each([
    ['The Kernel panics: kernel panic!', 'kernel', 'The [Kernel] panics: [kernel] panic!'],
    ['The Kernel panics: kernel-panic!', '"kernel panic"', 'The Kernel panics: [kernel-panic]!'],
    ['In /etc/passwd', 'passwd', 'In /etc/[passwd]'],
    ['<b>bold</b> & <mark>', 'b mark', '<[b]>bold</[b]> & <[mark]>'],
    ['Cafe\u0301 CAFÉ', 'café', '[Cafe\u0301] [CAFÉ]'],
    ['東京日本語', '日本', '東京[日本]語'],
    ['nothing here', 'other', 'nothing here'],
    ['a b c', 'a "a b"', '[a b] c'],
    ['', 'a', ''],
  ])('in %j of %s are marked', (text, query, expected) => {
    expect(marked(text, query)).toBe(expected)
  })

  test('never change the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (text, query) => {
        const segments = splitMatches(text, parseSearchQuery(query).terms)
        expect(segments.map(({ text }) => text).join('')).toBe(text)
      }),
    )
  })

  test('are within their excerpt', () => {
    const line = `${'before '.repeat(100)}needle ${'after '.repeat(100)}`.trim()
    const excerpt = excerptAround(line, [['needle']], 280)
    expect(excerpt).toMatch(/^…before .* needle after .* after…$/)
    expect(excerpt.length).toBeLessThan(284)
    expect(excerptAround(line, [['before']], 280)).toMatch(/^before .* before…$/)
    expect(excerptAround('short', [['x']], 280)).toBe('short')
    expect(excerptAround('😀'.repeat(500), [], 279).isWellFormed()).toBe(true)
  })

  test('are found in a long text', () => {
    const text = 'a '.repeat(10_000)
    const phrases = Array.from({ length: 16 }, (_, at) => Array(at + 1).fill('a'))
    expect(splitMatches(text, phrases).length).toBeGreaterThan(100)
    expect(findWords('é '.repeat(10_000))).toHaveLength(10_000)
  })

  test.each(Object.entries(markRuns))('are found among many marks %s', (_, create) => {
    const marks = create(60_000)
    const line = `${'filler '.repeat(100)}a${marks} needle`
    expect(excerptAround(line, [['needle']], 280)).toMatch(/needle$/)
    expect(splitMatches(line, [['a']]).filter(({ isMatch }) => isMatch)).toEqual([{ text: `a${marks}`, isMatch: true }])
  })
})
