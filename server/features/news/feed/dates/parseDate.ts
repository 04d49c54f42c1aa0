import { parseTime, zoneOffset } from './parseTime.ts'

/** Rejects earlier dates: they are zero values or come from a wrong clock. */
const FIRST_YEAR = 1990
const MAX_LENGTH = 100

const normalizeDate = (written: string): string =>
  written
    .slice(0, MAX_LENGTH)
    .normalize('NFC')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\([^)]*\)?/g, ' ')
    .replace(/[年년월月]\s*/g, '-')
    .replace(/[日일]/g, ' ')
    .replace(/(?:오후|午後|下午)\s*([\d:]+)/, '$1 PM')
    .replace(/(?:오전|午前|上午)\s*([\d:]+)/, '$1 AM')
    .replace(/\s+/g, ' ')
    .trim()

const rejectOutOfRange = (date: Date) =>
  date.getUTCFullYear() >= FIRST_YEAR && date.getUTCFullYear() <= 9999 ? date : null

type Day = { year: number; month: number; day: number }

function createDate({ year, month, day }: Day, timeText: string): Date | null {
  const time = parseTime(timeText)
  if (time === null || month < 1 || month > 12 || day < 1) return null
  const midnight = new Date(Date.UTC(year, month - 1, day))
  if (midnight.getUTCFullYear() !== year || midnight.getUTCDate() !== day) return null
  const local = midnight.getTime() + time.milliseconds
  const offset = zoneOffset(time.zone, local)
  return offset === null ? null : rejectOutOfRange(new Date(local - offset))
}

/** Maps two digits to 1970–2069. Adds 1900 to three digits, because some feeds write 2004 as `104`. */
function fullYear(digits: string): number {
  const year = Number(digits)
  if (digits.length > 3) return year
  return digits.length === 3 || year >= 70 ? year + 1900 : year + 2000
}

const MONTHS = new Map<string, number>()
const NAMES = [
  'jan ene gen',
  'feb fev fév',
  'mar mär mrz maa mrt',
  'apr avr abr',
  'may mai mei mag maj',
  'jun juin giu',
  'jul júl juil lug',
  'aug ago aoû aou',
  'sep set',
  'oct okt ott out',
  'nov',
  'dec dez dic déc',
]
for (const [index, names] of NAMES.entries()) for (const name of names.split(' ')) MONTHS.set(name, index + 1)

/**
 * Parses a date. Assumes UTC if the zone is missing.
 * @param written text, or Unix time in seconds or milliseconds
 * @param order of a numeric date that is valid in both orders
 */
export function parseDate(written: string | number | null | undefined, order: DateOrder = 'day-first'): Date | null {
  if (typeof written === 'number') return fromUnixTime(written)
  const text = normalizeDate(written ?? '')
  if (text === '') return null
  if (/^\d{9,10}(?:\.\d+)?$|^\d{13}$/.test(text)) return fromUnixTime(Number(text))
  return (
    parseWeekDate(text) ??
    parseYearFirst(text) ??
    parseShortYearFirst(text) ??
    parseWithMonthName(text) ??
    parseNumeric(text, order)
  )
}

/** Treats numbers above 1e11 as milliseconds (dates from 1973), others as seconds (dates until 5138). */
const fromUnixTime = (time: number) => rejectOutOfRange(new Date(time > 1e11 ? time : time * 1000))

/** Parses ISO 8601 and similar: `2004-07-08T23:56:58Z`, `20040708T235658`, `2004/07/08 8:15 EDT`, `2004-07`, `2004`. */
function parseYearFirst(text: string): Date | null {
  const match =
    /^(?:\p{L}{2,9}\.?,? (?=\d{4}[-/.]))?(\d{4})(?:([-/.])0?(\d{1,2})(?:\2(\d{1,2}))?|(\d{2})(\d{2}))?(?!\d)(?=$|[T ,+Z-])(.*)$/iu.exec(
      text,
    ) ?? /^(\d{4})()()()(\d{2})(\d{2})(\d{4,6})$/.exec(text)
  if (!match) return null
  const [, year, , month, day, basicMonth, basicDay, time = ''] = match
  return createDate(
    { year: Number(year), month: Number(month || basicMonth || 1), day: Number(day || basicDay || 1) },
    time,
  )
}

/** Parses the other dates of ISO 8601: weeks (`2004-W28-4`) and days of the year (`2004-190`). */
function parseWeekDate(text: string): Date | null {
  const match = /^(\d{4})-?(?:w(\d\d)(?:-?([1-7]))?|(\d{3}))(?=$|[T Z+])(.*)$/i.exec(text)
  if (!match) return null
  const [, yearText, weekText, weekday = '1', dayText, time = ''] = match
  const year = Number(yearText)
  const week = Number(weekText)
  // The first week of a year is the one with 4 January. Day 1 is a Monday.
  const first = (new Date(Date.UTC(year, 0, 4)).getUTCDay() + 6) % 7
  const dayOfYear = dayText === undefined ? 4 - first + (week - 1) * 7 + Number(weekday) - 1 : Number(dayText)
  const date = new Date(Date.UTC(year, 0, dayOfYear))
  const isInRange = dayText === undefined ? week >= 1 && week <= 53 : date.getUTCFullYear() === year && dayOfYear > 0
  if (!isInRange) return null
  return createDate({ year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }, time)
}

/** Parses ISO 8601 with a two-digit year, which the standard allowed until 2004: `03-12-31T23:56:58Z`. */
function parseShortYearFirst(text: string): Date | null {
  const [, year = '', month, day, time = ''] = /^(\d\d)-(\d\d)-(\d\d)(?=$|[T ])(.*)$/i.exec(text) ?? []
  if (year === '') return null
  return createDate({ year: fullYear(year), month: Number(month), day: Number(day) }, time)
}

/** Parses RFC 822, asctime and variants: `Thu, 8 July 04 23:56 EST`, `Jul 8th, 2004 - 3:09pm`. */
function parseWithMonthName(text: string): Date | null {
  const timeAt = /(?<![\d:])\d{1,2}(?::\d|h\d\d)/.exec(text)?.index ?? text.length
  // Splits `08-Jul-2004` and `16.Novembre` into words.
  const date = text.slice(0, timeAt).replace(/(\d)[-./](?=\p{L}{3})|(\p{L}{3})\.?[-/.](?=\d)/gu, '$1$2 ')
  const words = date.split(/[ ,]+/)
  let rest = text.slice(timeAt)
  // In asctime, the year follows the time and the zone.
  rest = rest.replace(/ (\d{4})$/, (_, year: string) => {
    words.push(year)
    return ''
  })
  let month: number | undefined
  const numbers: string[] = []
  for (const word of words) {
    // The last match wins: in French, `mar` can also be the weekday (mardi), which precedes the month.
    month = parseMonth(word) ?? month
    const number = /^(\d{1,4})(?:st|nd|rd|th|\.|º|T)?$/i.exec(word)?.[1]
    if (number) numbers.push(number)
  }
  if (month === undefined) return null
  const yearAt = numbers.findIndex((number) => number.length > 2)
  const [year] = yearAt === -1 ? numbers.splice(1, 1) : numbers.splice(yearAt, 1)
  // `Nov. 2020` without a time means the first of the month.
  const day = numbers[0] ?? (rest === '' ? '1' : undefined)
  return year === undefined || day === undefined || day.length > 2
    ? null
    : createDate({ year: fullYear(year), month, day: Number(day) }, rest)
}

/** Compares three letters, then four, because the French June and July differ in the fourth letter. */
function parseMonth(word: string): number | undefined {
  const letters = /^\p{L}{3,}/u.exec(word)?.[0].toLowerCase() ?? ''
  return MONTHS.get(letters.slice(0, 3)) ?? MONTHS.get(letters.slice(0, 4))
}

/** Order of `11/12/2026` in a feed. */
type DateOrder = 'day-first' | 'month-first'

/** Finds the order that a feed's dates have in common. Without such a date, AM or PM means that the month is first. */
export function findDateOrder(dates: (string | number | null)[]): DateOrder {
  const numeric = dates.flatMap((date) => (typeof date === 'string' ? (matchNumeric(normalizeDate(date)) ?? []) : []))
  const slashed = numeric.filter(({ separator }) => separator !== '.')
  if (slashed.some(({ second }) => second > 12)) return 'month-first'
  if (slashed.some(({ first }) => first > 12)) return 'day-first'
  return slashed.some(({ time }) => /\d ?[ap]\.?m\b/i.test(time)) ? 'month-first' : 'day-first'
}

/** Parses `08.07.2004 23:56` and `30/10/23`. Dates with dots are day-first in all countries. */
function parseNumeric(text: string, order: DateOrder): Date | null {
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
