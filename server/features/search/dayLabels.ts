/** No post is older, even if it was imported. */
const FIRST_DAY = '1990-01-01'

type Days = { from?: string | undefined; to?: string | undefined }

/**
 * Returns labels of years, months and days that cover the days from `from` to `to` exactly, both included. Days are in
 * UTC and look like 2026-01-31. Any period needs little more than a hundred labels.
 */
export function coverDays({ from = FIRST_DAY, to }: Days, now: Date): string[] {
  const lastDay = isoDay(now.getUTCFullYear() + 1, 11, 31)
  const end = to !== undefined && to < lastDay ? to : lastDay
  const labels: string[] = []
  let day = from > FIRST_DAY ? from : FIRST_DAY
  while (day <= end) {
    const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
    if (day.endsWith('-01-01') && isoDay(year, 11, 31) <= end) {
      labels.push(`y${day.slice(0, 4)}`)
      day = isoDay(year + 1, 0, 1)
    } else if (date === 1 && isoDay(year, month, 0) <= end) {
      labels.push(`m${day.slice(0, 7).replace('-', '')}`)
      day = isoDay(year, month, 1)
    } else {
      labels.push(`d${day.replaceAll('-', '')}`)
      day = isoDay(year, month - 1, date + 1)
    }
  }
  return labels
}

/** @param month counted from 0; day 0 is the last day of the month before */
const isoDay = (year: number, month: number, date: number) =>
  new Date(Date.UTC(year, month, date)).toISOString().slice(0, 10)
