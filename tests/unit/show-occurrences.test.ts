import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import { listOccurrences } from '#server/features/show/occurrences.ts'
import { findCommonTime } from '#server/features/show/overlap.ts'
import { type ShowTiming, showForm } from '#src/contract/show.ts'
import { fc } from '#tests/helpers/property.ts'

const weekly: ShowTiming = {
  zone: 'Europe/Berlin',
  firstDay: '2026-01-05',
  startTime: '20:00',
  minutes: 90,
  isWeekly: true,
  lastDay: null,
}
const HOUR = 3_600_000
const starts = (timing: Partial<ShowTiming>, from: string, to: string) =>
  listOccurrences({ ...weekly, ...timing }, new Date(from), new Date(to)).map(({ startsAt }) =>
    startsAt.toISOString().slice(0, 16),
  )

/** Lists a week with a show on every day, from Thursday to Wednesday. */
function week(zone: string, startTime: string, thursday: string): string[] {
  const day = (offset: number) => new Date(Date.parse(thursday) + offset * 24 * HOUR).toISOString().slice(0, 10)
  const [from, to] = [new Date(`${day(-1)}T12:00Z`), new Date(`${day(7)}T12:00Z`)]
  return [0, 1, 2, 3, 4, 5, 6]
    .flatMap((offset) => listOccurrences({ ...weekly, zone, startTime, firstDay: day(offset - 28) }, from, to))
    .map(({ startsAt, day: local }) => `${local} ${startsAt.toISOString().slice(11, 16)}`)
    .filter((line) => line >= day(0) && line < day(7))
}

describe('a week with a show every day', () => {
  test.each([
    // Each row: days before the change of Sunday, and from Sunday on.
    ['Europe/Berlin', '20:00', '2026-10-22', '18:00', '19:00'],
    ['Europe/Berlin', '20:00', '2027-03-25', '19:00', '18:00'],
    ['America/New_York', '09:15', '2026-10-29', '13:15', '14:15'],
    ['America/New_York', '09:15', '2027-03-11', '14:15', '13:15'],
    ['Australia/Lord_Howe', '12:00', '2026-10-01', '01:30', '01:00'],
    ['Australia/Lord_Howe', '12:00', '2027-04-01', '01:00', '01:30'],
  ])('keeps its local time in %s at %s from %s on', (zone, time, thursday, before, after) => {
    const days = week(zone, time, thursday)
    expect(days).toHaveLength(7)
    expect(days.map((line) => line.slice(11))).toEqual([before, before, before, after, after, after, after])
  })
})

describe('a change of the clocks', () => {
  test('moves a time that it skips forward, only in that week', () => {
    expect(starts({ firstDay: '2027-03-21', startTime: '02:30' }, '2027-03-20T00:00Z', '2027-04-05T00:00Z')).toEqual([
      '2027-03-21T01:30',
      '2027-03-28T01:30',
      '2027-04-04T00:30',
    ])
    // Lord Howe skips half an hour.
    const island = { zone: 'Australia/Lord_Howe', firstDay: '2026-09-27', startTime: '02:15' }
    expect(starts(island, '2026-09-25T00:00Z', '2026-10-12T00:00Z')).toEqual([
      '2026-09-26T15:45',
      '2026-10-03T15:45',
      '2026-10-10T15:15',
    ])
  })

  test('takes the first of two equal times', () => {
    expect(starts({ firstDay: '2026-10-18', startTime: '02:30' }, '2026-10-17T00:00Z', '2026-11-02T00:00Z')).toEqual([
      '2026-10-18T00:30',
      '2026-10-25T00:30',
      '2026-11-01T01:30',
    ])
  })

  test('during a show does not change its length', () => {
    const [one] = listOccurrences(
      { ...weekly, isWeekly: false, firstDay: '2027-03-28', startTime: '01:00', minutes: 180 },
      new Date('2027-03-27T00:00Z'),
      new Date('2027-03-30T00:00Z'),
    )
    expect([one?.startsAt, one?.endsAt]).toEqual([new Date('2027-03-28T00:00Z'), new Date('2027-03-28T03:00Z')])
  })
})

describe('the span', () => {
  test('includes what overlaps with it, over the end of a year', () => {
    const newYear = { isWeekly: false, firstDay: '2026-12-31', startTime: '23:30', minutes: 120 }
    expect(starts(newYear, '2026-12-31T00:00Z', '2027-01-02T00:00Z')).toEqual(['2026-12-31T22:30'])
    expect(starts(newYear, '2027-01-01T00:29:59Z', '2027-01-02T00:00Z')).toEqual(['2026-12-31T22:30'])
    expect(starts(newYear, '2027-01-01T00:30Z', '2027-01-02T00:00Z')).toEqual([])
    expect(starts(newYear, '2026-12-31T00:00Z', '2026-12-31T22:30Z')).toEqual([])
    expect(starts({ firstDay: '2026-12-28' }, '2026-12-28T00:00Z', '2027-01-12T00:00Z')).toEqual([
      '2026-12-28T19:00',
      '2027-01-04T19:00',
      '2027-01-11T19:00',
    ])
  })

  test('ends with the last day, and begins with the first one', () => {
    const february = { firstDay: '2028-02-22', lastDay: '2028-03-07' }
    expect(starts(february, '2000-01-01T00:00Z', '2099-01-01T00:00Z')).toEqual([
      '2028-02-22T19:00',
      '2028-02-29T19:00',
      '2028-03-07T19:00',
    ])
    expect(starts({ ...february, lastDay: '2028-03-06' }, '2028-02-01T00:00Z', '2029-01-01T00:00Z')).toHaveLength(2)
  })

  test('has the same times as a calendar that looks up every week', () => {
    const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca', 'Asia/Tokyo', 'UTC']
    const anyTime = fc.tuple(fc.nat(23), fc.nat(59)).map((parts) => parts.map((part) => String(part).padStart(2, '0')))
    const anyDay = fc.nat(1000).map((days) => new Date(Date.UTC(2025, 0, 1) + days * 24 * HOUR))
    fc.assert(
      fc.property(fc.constantFrom(...zones), anyTime, anyDay, anyDay, (zone, time, first, from) => {
        const firstDay = first.toISOString().slice(0, 10)
        const startTime = time.join(':')
        const to = new Date(from.getTime() + 400 * 24 * HOUR)
        const expected = Array.from({ length: 220 }, (_, week) =>
          Temporal.PlainDate.from(firstDay)
            .add({ weeks: week })
            .toZonedDateTime({ timeZone: zone, plainTime: Temporal.PlainTime.from(startTime) }),
        ).filter(({ epochMilliseconds: at }) => at < to.getTime() && at + weekly.minutes * 60_000 > from.getTime())
        const listed = listOccurrences({ ...weekly, zone, firstDay, startTime }, from, to)
        expect(listed.map(({ startsAt, day }) => [startsAt.getTime(), day])).toEqual(
          expected.map((local) => [local.epochMilliseconds, local.toPlainDate().toString()]),
        )
      }),
      { numRuns: 12 },
    )
  })
})

test('two shows have a common time only while the clocks of their zones differ', () => {
  const [from, to] = [new Date('2026-11-25T00:00Z'), new Date('2027-11-25T00:00Z')]
  const list = (timing: Partial<ShowTiming>) => listOccurrences({ ...weekly, minutes: 60, ...timing }, from, to)
  const berlin = list({ firstDay: '2026-12-07', startTime: '19:00' })
  const newYork = list({ zone: 'America/New_York', firstDay: '2026-12-07', startTime: '12:00' })
  // New York changes its clocks on 14/03, Berlin on 28/03.
  expect(
    findCommonTime(berlin, list({ zone: 'America/New_York', firstDay: '2026-12-07', startTime: '14:00' })),
  ).toEqual(new Date('2027-03-15T18:00Z'))
  expect(findCommonTime(berlin, newYork)).toBeNull()
  expect(findCommonTime(newYork, list({ firstDay: '2026-12-07', startTime: '20:00' }))).toBeNull()
})

describe('the form', () => {
  const form = { title: 'x', zone: 'Europe/Berlin', firstDay: '2028-02-29', startTime: '00:00', minutes: 5 }
  const error = (change: object) => showForm.safeParse({ ...form, ...change }).error?.issues[0]?.message ?? null

  test.each([
    ...['Mars/Olympus', '', '+01:00', '-05', 'Europe/Berlin\0', ' UTC', '../etc', `A${'a'.repeat(60)}`, 5, null].map(
      (zone) => ({ zone }),
    ),
    ...['2027-02-29', '2028-02-30', '2027-13-01', '2027-1-1', '1999-12-31', '27/11/2026', '', 5].map((firstDay) => ({
      firstDay,
    })),
    ...['24:00', '12:60', '9:00', '09:00:00', '٠٩:٠٠', ''].map((startTime) => ({ startTime })),
    ...[4, 721, 30.5, '30', Number.NaN, null].map((minutes) => ({ minutes })),
    ...[{ lastDay: '2028-02-28' }, { lastDay: 'never' }, { isWeekly: 'yes' }, { title: ' ' }, { title: undefined }],
    ...[{ title: 'x'.repeat(101) }, { description: 'x'.repeat(1001) }, { description: 5 }, { image: 'x' }],
  ])('rejects %j', (change) => {
    expect(error(change)).toEqual(expect.any(String))
  })

  test.each([
    { zone: 'UTC' },
    { zone: 'Etc/GMT+5' },
    { zone: 'America/Argentina/Buenos_Aires' },
    { minutes: 720, startTime: '23:59' },
    { isWeekly: true, lastDay: '2028-02-29' },
    { lastDay: '' },
    { lastDay: null },
  ])('accepts %j', (change) => {
    expect(error(change)).toBeNull()
  })
})
