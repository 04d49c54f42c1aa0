import { parseTime, zoneOffset } from './parseTime.ts'

/** Rejects earlier dates: they are zero values or come from a wrong clock. */
const FIRST_YEAR = 1990
const MAX_LENGTH = 100

export const normalizeDate = (written: string): string =>
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

export const rejectOutOfRange = (date: Date) =>
  date.getUTCFullYear() >= FIRST_YEAR && date.getUTCFullYear() <= 9999 ? date : null

type Day = { year: number; month: number; day: number }

export function createDate({ year, month, day }: Day, timeText: string): Date | null {
  const time = parseTime(timeText)
  if (time === null || month < 1 || month > 12 || day < 1) return null
  const midnight = new Date(Date.UTC(year, month - 1, day))
  if (midnight.getUTCFullYear() !== year || midnight.getUTCDate() !== day) return null
  const local = midnight.getTime() + time.milliseconds
  const offset = zoneOffset(time.zone, local)
  return offset === null ? null : rejectOutOfRange(new Date(local - offset))
}

/** Maps two digits to 1970–2069. Adds 1900 to three digits, because some feeds write 2004 as `104`. */
export function fullYear(digits: string): number {
  const year = Number(digits)
  if (digits.length > 3) return year
  return digits.length === 3 || year >= 70 ? year + 1900 : year + 2000
}
