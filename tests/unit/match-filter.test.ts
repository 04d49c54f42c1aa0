import { expect, test } from 'vitest'
import type { ReaderFilter } from '#src/contract/readerFilters.ts'
import { readFilterFile } from '#src/features/board/reading/readerFilterStore.ts'
import { createMatcher } from '#src/lib/matchFilter.ts'
import { fc } from '#tests/helpers/property.ts'

const words = (value: string, boardId: string | null = null): ReaderFilter => ({ kind: 'words', value, boardId })
const name = (value: string): ReaderFilter => ({ kind: 'name', value, boardId: null })
const hides = (filter: ReaderFilter, text: string, author = 'somebody', title = '') =>
  createMatcher([filter], 'tech')({ id: 1, author, text, title }) !== null

test.each([
  ['crypto', 'Buy CRYPTO now', true],
  ['crypto', 'cryptography', false],
  ['crypto*', 'cryptography', true],
  ['*graphy', 'cryptography', true],
  ['c*g*y', 'cryptography', true],
  ['c*z*y', 'cryptography', false],
  ['buy now', 'Buy, now!', true],
  ['buy now', 'buy it now', false],
  ['buy * now', 'buy it now', true],
  ['straße', 'die STRASSE', false],
  ['ﬁne', 'fine', true],
  ['!!!', 'what!!!', false],
  ['tech', 'see >>>/tech/5', false],
  ['5', '>>>/tech/5 and >>5', false],
  ['5', 'only 5', true],
])('a filter of the words "%s" in "%s": %s', (value, text, expected) => {
  expect(hides(words(value), text)).toBe(expected)
})

test('finds words in titles', () => {
  expect(hides(words('crypto'), 'text', 'somebody', 'About crypto')).toBe(true)
})

test('compares a whole name', () => {
  expect(hides(name('Ferrite'), 'text', 'ferrite')).toBe(true)
  expect(hides(name('ferr'), 'text', 'ferrite')).toBe(false)
  expect(hides(name('ferr*'), 'text', 'ferrite')).toBe(true)
})

test('applies to its board only, or to all boards', () => {
  expect(hides(words('crypto', 'music'), 'crypto')).toBe(false)
  expect(hides(words('crypto', 'tech'), 'crypto')).toBe(true)
})

test('finds the same words as a regular expression', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*'), minLength: 1, maxLength: 8 })
  const text = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(letters, text, (glob, word) => {
      const expected = new RegExp(`^${glob.replaceAll('*', '.*')}$`).test(word)
      expect(hides(words(glob), word)).toBe(expected)
    }),
  )
})

test('compares a hostile filter with the longest post', () => {
  expect(hides(words(`${'a*'.repeat(49)}b`), `${'a'.repeat(190)} `.repeat(105))).toBe(false)
})

test('finds a word with many combining marks', () => {
  expect(hides(words('crypto'), `buy crypto${'\u0316\u0301'.repeat(30_000)}`)).toBe(true)
})

test.each<[string, unknown]>([
  ['no object', []],
  ['a missing list', { hidden: [] }],
  ['an id of another type', { hidden: ['1'], filters: [] }],
  ['an unknown kind', { hidden: [], filters: [{ kind: 'regex', value: 'a', boardId: null }] }],
  ['only stars', { hidden: [], filters: [{ kind: 'words', value: '***', boardId: null }] }],
  ['a long value', { hidden: [], filters: [{ kind: 'words', value: 'a'.repeat(101), boardId: null }] }],
  ['too many filters', { hidden: [], filters: Array(201).fill(words('a')) }],
])('refuses a file with %s', (_name, file) => {
  expect(readFilterFile(file)).toBeNull()
})
