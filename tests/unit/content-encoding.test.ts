import { expect, it } from 'vitest'
import { chooseEncoding } from '#server/core/http/contentEncoding.ts'

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
] as const)('chooses %s for Accept-Encoding %s', (encoding, header) => {
  expect(chooseEncoding(header)).toBe(encoding)
})
