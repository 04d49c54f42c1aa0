import { afterEach, describe, expect, test, vi } from 'vitest'
import { nextFetchAfterFailure, nextFetchAfterSuccess } from '#server/features/news/schedule.ts'

const now = new Date('2026-11-21T12:00:00Z')
const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Returns the seconds until the next fetch, with minimum and with maximum jitter. */
function seconds(next: () => Date): [number, number] {
  const random = vi.spyOn(Math, 'random')
  return [0, 1].map((value) => {
    random.mockReturnValue(value)
    return (next().getTime() - now.getTime()) / 1000
  }) as [number, number]
}
afterEach(() => vi.restoreAllMocks())
const read = (ttl: number | null, headers = {}) =>
  seconds(() => nextFetchAfterSuccess({ now, refreshMinutes: 30, ttl, headers }))
const failed = (failures: number, status: number | null = 500, headers = {}) =>
  seconds(() => nextFetchAfterFailure({ now, refreshMinutes: 30, failures, status, headers }))

describe('nextFetchAfterSuccess', () => {
  test.each([
    ['for the refresh interval', null, {}, 30 * MINUTE],
    ['for the ttl of the feed', 2 * HOUR, {}, 2 * HOUR],
    ['for the refresh interval with a shorter ttl', 60, {}, 30 * MINUTE],
    ['for max-age', null, { 'cache-control': 'public, max-age=7200' }, 2 * HOUR],
    [
      'for the longest of ttl, max-age and Retry-After',
      HOUR,
      { 'cache-control': 'MAX-AGE = 7200', 'retry-after': '10800' },
      3 * HOUR,
    ],
    ['for the refresh interval with s-maxage', null, { 'cache-control': 's-maxage=7200, xmax-age=7200' }, 30 * MINUTE],
    [
      'for the refresh interval with invalid values',
      Number.NaN,
      { 'cache-control': 'max-age=-1', 'retry-after': 'soon' },
      30 * MINUTE,
    ],
    ['for the refresh interval with an infinite ttl', Number.POSITIVE_INFINITY, {}, 30 * MINUTE],
  ])('waits %s', (_name, ttl, headers, expected) => {
    expect(read(ttl, headers)).toEqual([expected, expected * 1.05])
  })

  test.each([
    [10 * DAY, {}],
    [null, { 'cache-control': 'max-age=999999999999' }],
    [null, { 'retry-after': 'Fri, 31 Dec 2999 23:59:59 GMT' }],
  ])('waits at most a day: %s %j', (ttl, headers) => {
    expect(read(ttl, headers)).toEqual([DAY, DAY])
  })
})

describe('nextFetchAfterFailure', () => {
  test('doubles the wait up to a day, with jitter', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 50, 5000].map((failures) => failed(failures)[0])
    const minutes = [30, 60, 120, 240, 480, 960, 1440, 1440, 1440]
    expect(waits).toEqual(minutes.map((minute) => minute * MINUTE))
    expect(failed(2)[1]).toBe(75 * MINUTE)
    expect(failed(7)[1]).toBe(DAY)
  })

  test('waits at most two hours without a response', () => {
    const waits = [1, 2, 3, 4, 5000].map((failures) => failed(failures, null)[0] / MINUTE)
    expect(waits).toEqual([30, 60, 120, 120, 120])
    expect(failed(5000, null)[1]).toBe(150 * MINUTE)
  })

  test.each([
    [429, '7200', 2 * HOUR],
    [503, '7200', 2 * HOUR],
    [429, 'Sat, 21 Nov 2026 15:00:00 GMT', 3 * HOUR],
    [429, '1', 30 * MINUTE],
    [429, 'Sat, 21 Nov 2020 15:00:00 GMT', 30 * MINUTE],
    [429, '99999999', DAY],
  ])('honours Retry-After with status %i: %s', (status, header, expected) => {
    expect(failed(5, status, { 'retry-after': header })[0]).toBe(expected)
  })

  test.each(['', 'soon', '-5', '1.5', '5 minutes', '2026-11-22'])('ignores an invalid Retry-After: %j', (header) => {
    expect(failed(2, 429, { 'retry-after': header })[0]).toBe(HOUR)
  })

  test('ignores Retry-After with status 500, and waits a day after status 410', () => {
    expect(failed(2, 500, { 'retry-after': '7200' })[0]).toBe(HOUR)
    expect(failed(1, 410)).toEqual([DAY, DAY])
  })
})
