import { createDate, fullYear, normalizeDate } from './dateParts.ts'

/** Order of `11/12/2026` in a feed. */
export type DateOrder = 'day-first' | 'month-first'

/** Finds the order that a feed's dates have in common. Without such a date, AM or PM means that the month is first. */
export function findDateOrder(dates: (string | number | null)[]): DateOrder {
  const numeric = dates.flatMap((date) => (typeof date === 'string' ? (matchNumeric(normalizeDate(date)) ?? []) : []))
  const slashed = numeric.filter(({ separator }) => separator !== '.')
  if (slashed.some(({ second }) => second > 12)) return 'month-first'
  if (slashed.some(({ first }) => first > 12)) return 'day-first'
  return slashed.some(({ time }) => /\d ?[ap]\.?m\b/i.test(time)) ? 'month-first' : 'day-first'
}

/** Parses `08.07.2004 23:56` and `30/10/23`. Dates with dots are day-first in all countries. */
export function parseNumeric(text: string, order: DateOrder): Date | null {
  const match = matchNumeric(text)
  if (!match) return null
  const { first, separator, second, year, time } = match
  const isMonthFirst = separator !== '.' && (second > 12 || (order === 'month-first' && first <= 12))
  const [month, day] = isMonthFirst ? [first, second] : [second, first]
  return createDate({ year: fullYear(year), month, day }, time)
}

function matchNumeric(text: string) {
  const match = /^(?:\p{L}{2,9}\.?,? )?(\d{1,2})([-/. ])(\d{1,2})\2(\d{4}|\d{2})(?!\d)[ ,-]*(.*)$/u.exec(text)
  if (!match) return null
  const [, first, separator, second, year = '', time = ''] = match
  if (separator === '-' && year.length === 2) return null
  return { first: Number(first), separator, second: Number(second), year, time }
}
