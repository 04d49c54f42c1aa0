import { describe, expect, test } from 'vitest'
import { afterFailure, afterSuccess } from '#server/features/news/schedule.ts'

const now = new Date('2026-11-21T12:00:00Z')
const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Seconds until the next look, without and with all of the spread. */
function seconds(next: (random: () => number) => Date): [number, number] {
  return [0, 1].map((value) => (next(() => value).getTime() - now.getTime()) / 1000) as [number, number]
}
const read = (ttl: number | null, headers = {}) =>
  seconds((random) => afterSuccess({ now, refreshMinutes: 30, ttl, headers, random }))
const failed = (failures: number, status: number | null = 500, headers = {}) =>
  seconds((random) => afterFailure({ now, refreshMinutes: 30, failures, status, headers, random }))

describe('after an answer that could be read', () => {
  test.each([
    ['the refresh time', null, {}, 30 * MINUTE],
    ['what the feed asks for', 2 * HOUR, {}, 2 * HOUR],
    ['no sooner, whatever the feed says', 60, {}, 30 * MINUTE],
    ['as long as the answer stays fresh', null, { 'cache-control': 'public, max-age=7200' }, 2 * HOUR],
    ['the longest of all wishes', HOUR, { 'cache-control': 'MAX-AGE = 7200', 'retry-after': '10800' }, 3 * HOUR],
    ['what is only for proxies counts nothing', null, { 'cache-control': 's-maxage=7200, xmax-age=7200' }, 30 * MINUTE],
    ['no wish that is none', Number.NaN, { 'cache-control': 'max-age=-1', 'retry-after': 'soon' }, 30 * MINUTE],
    ['nor one without end', Number.POSITIVE_INFINITY, {}, 30 * MINUTE],
  ])('it waits for %s', (_name, ttl, headers, expected) => {
    expect(read(ttl, headers)).toEqual([expected, expected * 1.05])
  })

  test.each([
    [10 * DAY, {}],
    [null, { 'cache-control': 'max-age=999999999999' }],
    [null, { 'retry-after': 'Fri, 31 Dec 2999 23:59:59 GMT' }],
  ])('a day is the longest: %s %j', (ttl, headers) => {
    expect(read(ttl, headers)).toEqual([DAY, DAY])
  })
})

describe('after a failure', () => {
  test('the waits double up to a day, and are spread', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 50, 5000].map((failures) => failed(failures)[0])
    const minutes = [30, 60, 120, 240, 480, 960, 1440, 1440, 1440]
    expect(waits).toEqual(minutes.map((one) => one * MINUTE))
    expect(failed(2)[1]).toBe(75 * MINUTE)
    expect(failed(7)[1]).toBe(DAY)
  })

  test('where no answer came it may be our own fault: two hours are the longest', () => {
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
  ])('%i with Retry-After: %s is heeded', (status, header, expected) => {
    expect(failed(5, status, { 'retry-after': header })[0]).toBe(expected)
  })

  test.each(['', 'soon', '-5', '1.5', '5 minutes', '2026-11-22'])('a Retry-After of %j is none', (header) => {
    expect(failed(2, 429, { 'retry-after': header })[0]).toBe(HOUR)
  })

  test('other failures have no say in it, and what is gone is asked for once a day', () => {
    expect(failed(2, 500, { 'retry-after': '7200' })[0]).toBe(HOUR)
    expect(failed(1, 410)).toEqual([DAY, DAY])
  })
})
