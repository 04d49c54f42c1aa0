import { describe, expect, it } from 'vitest'
import { byteSize, count, flag, optionalDuration, rate } from '#server/core/config/settingTypes.ts'

describe('byte sizes', () => {
  it.each([
    ['500', 500],
    ['500kB', 500_000],
    ['64MiB', 64 * 2 ** 20],
    ['1.5 GB', 1_500_000_000],
    ['', 1_000_000],
    [undefined, 1_000_000],
  ])('reads %j', (given, bytes) => {
    expect(byteSize('1MB').parse(given)).toBe(bytes)
  })

  it.each(['0', '-1', '0.4', '12 parsecs', 'MB', '1e400'])('rejects %j', (given) => {
    expect(() => byteSize('1MB').parse(given)).toThrow()
  })
})

describe('durations', () => {
  const duration = optionalDuration({ minSeconds: 600, maxSeconds: 14 * 86_400, error: 'wrong' })

  it.each([
    ['10m', 600],
    ['24h', 86_400],
    ['14d', 14 * 86_400],
    ['off', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('reads %j', (given, seconds) => {
    expect(duration.parse(given)).toBe(seconds)
  })

  it.each(['9m', '15d', '24', '1.5h', '-1h', '24 h', '1w', '99999999999999999999h'])('rejects %j', (given) => {
    expect(() => duration.parse(given)).toThrow('wrong')
  })
})

describe('rates', () => {
  it.each([
    ['15/10s', { burst: 15, everySeconds: 10 }],
    ['5/2m', { burst: 5, everySeconds: 120 }],
    ['1/0.5s', { burst: 1, everySeconds: 0.5 }],
    ['', { burst: 3, everySeconds: 3600 }],
  ])('reads %j', (given, expected) => {
    expect(rate('3/1h').parse(given)).toEqual(expected)
  })

  it.each(['15', '0/10s', '15/0s', '15/10', '/10s', '15/10d'])('rejects %j', (given) => {
    expect(() => rate('3/1h').parse(given)).toThrow('must be a rate like 15/10s or 5/2m')
  })
})

it('reads numbers and flags, and uses the default for an empty value', () => {
  expect(count(7).parse('')).toBe(7)
  expect(count(7).parse('12')).toBe(12)
  expect(() => count(7).parse('0')).toThrow()
  expect(() => count(7).parse('1.5')).toThrow()
  expect(flag(true).parse(undefined)).toBe(true)
  expect(flag(true).parse('off')).toBe(false)
  expect(() => flag(true).parse('yes')).toThrow()
})
