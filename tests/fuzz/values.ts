import fc, { type Arbitrary } from 'fast-check'
import { EXPIRY_HOURS } from '#src/contract/fields.ts'
import { pasteLanguages } from '#src/contract/paste.ts'

/** Any UTF-16 text, including lone surrogates and NUL. */
export const wildText = fc.string({
  unit: fc
    .oneof(
      { weight: 4, arbitrary: fc.integer({ min: 0x20, max: 0x7e }) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 0xffff }) },
    )
    .map((code) => String.fromCharCode(code)),
  maxLength: 40,
})

const ATTACK_TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udc00\ud800',
  '\u202eright to left\u202c',
  '\u200b\u2060',
  '\r\n\r\n',
  '__proto__',
  'constructor',
  'toString',
  "'; select 1; --",
  '$1',
  '%00',
  '%',
  '%E0%A4%A',
  '../../etc/passwd',
  '{{7*7}}',
  '</script><script>',
  '>>1 >>999999999999999999',
  '[spoiler]'.repeat(50),
  'http://[::1',
  'NaN',
  '-1',
  '0',
  '1e999',
  '2147483648',
  '9223372036854775808',
  'null',
  'undefined',
  '[object Object]',
  '2026-02-30T25:61:61Z',
]

/** Ordinary texts, attack strings, and sometimes a text of a million characters. */
export const anyText: Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...ATTACK_TEXTS) },
  { weight: 6, arbitrary: wildText },
  { weight: 6, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
  { weight: 2, arbitrary: fc.nat(20_001).map((length) => 'x'.repeat(length)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('é', '\u0301', '>', '\n', '[', '\ud83d\ude00').map((unit) => unit.repeat(500_000)),
  },
)

/** Any JSON value, including deep and unusual ones. */
export const anyJson: Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: anyText },
  { weight: 3, arbitrary: fc.jsonValue({ stringUnit: 'binary', maxDepth: 4 }) },
  { weight: 2, arbitrary: fc.constantFrom(null, true, false, 0, -1, 1.5, 1e308, Number.MAX_SAFE_INTEGER, [], {}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      JSON.parse('{"__proto__":{"admin":true}}'),
      { constructor: { prototype: { admin: true } } },
      JSON.parse('{"toString":1,"valueOf":1,"then":1,"length":-1}'),
      { filename: 'a.png', type: 'image/png', bytes: [1] },
      Array(5000).fill(0),
      JSON.parse(`${'['.repeat(300)}${']'.repeat(300)}`),
    ),
  },
)

const LANGUAGES = ['plain', ...Object.keys(pasteLanguages)]
const DATES = [
  '2026-11-22T00:00:00.000Z',
  '1969-12-31T23:59:59+14:00',
  '9999-12-31T23:59:59Z',
  '+275760-09-13T00:00:00Z',
]
const LINKS = [
  '[]',
  '["https://example.org/"]',
  '["javascript:x"]',
  '[null]',
  '[',
  `[${'"http://a",'.repeat(20)}"http://a"]`,
]
const HASH = 'a'.repeat(42).concat('A')

/** Mostly valid values for the fields of all forms, so that inputs get past validation. */
export const VALID_VALUES: Record<string, Arbitrary<unknown>> = {
  title: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 210 }),
  content: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }),
  author: fc.string({ unit: 'grapheme', minLength: 2, maxLength: 66 }),
  links: fc.constantFrom(...LINKS),
  name: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 66 }),
  description: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 }),
  link: fc.constantFrom('https://example.org/', 'http://x', 'ftp://x', `https://x/${'y'.repeat(2000)}`),
  addedBy: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 66 }),
  category: fc.constantFrom('Development', 'Other', 'x'.repeat(41)),
  updatedAt: fc.constantFrom(...DATES),
  expiryHours: fc.constantFrom<unknown>(...EXPIRY_HOURS, '24', 0, -1, 1e21),
  language: fc.constantFrom(...LANGUAGES, 'klingon', '__proto__'),
  burnAfterReading: fc.constantFrom<unknown>(true, false, 'true'),
  encrypted: fc.constantFrom<unknown>(true, false, 'true'),
  passwordProtected: fc.boolean(),
  proofHash: fc.constantFrom(HASH, 'x'),
  proof: fc.constantFrom(HASH, 'x', 'x'.repeat(101)),
  token: fc.constantFrom(HASH, 'x', 'x'.repeat(5000)),
  email: fc.constantFrom('admin@example.org', 'nobody@example.org', 'x'.repeat(300)),
  page: fc.constantFrom<unknown>(1, 0, '1', '2', '1e3', '99999999999'),
  source: fc.constantFrom('lwn.net', 'x'.repeat(256), '\0'),
  cursor: fc.constantFrom('1-1', '0-0', '253402300800000-1', '999999999999999-999999999999999', 'x'.repeat(300)),
  count: fc.constantFrom<unknown>(1, 20, 21, 0, -1, 1.5, '1'),
  topics: fc.constantFrom<unknown>(['boards'], ['thread:1', 'radio:1'], ['radio:999999999999999'], [], 'boards', [
    null,
  ]),
  lastEventId: fc.constantFrom<unknown>('0', '999999999999999999', -1, 'x', null),
}
export const FIELDS = Object.keys(VALID_VALUES)

/**
 * Generates fields with mostly valid values.
 * @param all whether every field is present
 */
export const someFields = (names: string[] = FIELDS, all = false): Arbitrary<Record<string, unknown>> =>
  fc
    .record(
      Object.fromEntries(
        names.map((name) => {
          const good = VALID_VALUES[name] ?? anyText
          return [name, fc.oneof({ weight: 7, arbitrary: good }, { weight: 1, arbitrary: anyJson })]
        }),
      ),
      all ? {} : { requiredKeys: [] },
    )
    // Copies the fields: fast-check also creates objects without a prototype, which some libraries cannot handle.
    .map((fields) => ({ ...fields }))

/** Generates known ids and other path segments, with and without URL encoding. */
export const anyId = (known: string[]): Arbitrary<string> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...known) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('.', '..', '%2e%2e', '%2F', '%00', '%', '%ff', '%25', '', '//', ';x=1', '*'),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '0',
        '-1',
        '1',
        '9'.repeat(30),
        'x'.repeat(4000),
        '__proto__',
        '%D9%A1',
        "1'--",
        '1%2C2',
      ),
    },
    { weight: 1, arbitrary: anyText.map((text) => encodeLoosely(text.slice(0, 300))) },
  )

/** URL-encodes a text. Replaces lone surrogates, because they cannot be encoded. */
export const encodeLoosely = (text: string): string => encodeURIComponent(text.toWellFormed())
