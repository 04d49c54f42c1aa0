import { Temporal } from 'temporal-polyfill'
import type { ShowTiming } from '#src/contract/show.ts'

/** `day` is the local day of the show's zone on which it begins. */
export type Occurrence = { startsAt: Date; endsAt: Date; day: string }

const DAY_MS = 24 * 60 * 60 * 1000
const WEEK_DAYS = 7
const WEEK_MS = WEEK_DAYS * DAY_MS

/**
 * Returns the times when a show takes place, as far as they overlap with a span, earliest first. A weekly show keeps its
 * local time when the clocks change. A time that a change of clocks skips is moved forward, as calendars do.
 */
export function listOccurrences(timing: ShowTiming, from: Date, to: Date): Occurrence[] {
  const durationMs = timing.minutes * 60_000
  const occurrences: Occurrence[] = []
  for (const { day, start } of listStarts(timing, from.getTime() - durationMs)) {
    const end = start + durationMs
    if (start >= to.getTime()) break
    if (end > from.getTime()) occurrences.push({ startsAt: new Date(start), endsAt: new Date(end), day })
  }
  return occurrences
}

/**
 * Yields the starts of a show from shortly before a time. Between two changes of the clocks, a week always has the same
 * length: looking up the zone for each week would take most of the time of a year's schedule.
 */
function* listStarts({ zone, firstDay, startTime, isWeekly, lastDay }: ShowTiming, from: number) {
  const first = dayNumber(firstDay)
  const last = isWeekly ? (lastDay === null ? Number.POSITIVE_INFINITY : dayNumber(lastDay)) : first
  // No zone is more than a day away from UTC.
  const skippedWeeks = isWeekly ? Math.floor((Math.floor(from / DAY_MS) - 1 - first) / WEEK_DAYS) : 0
  const plainTime = Temporal.PlainTime.from(startTime)
  let number = first + Math.max(0, skippedWeeks) * WEEK_DAYS
  while (number <= last) {
    const local = Temporal.PlainDate.from(formatDay(number)).toZonedDateTime({ timeZone: zone, plainTime })
    const isMoved = !local.toPlainTime().equals(plainTime)
    const change = local.getTimeZoneTransition('next')?.epochMilliseconds ?? Number.POSITIVE_INFINITY
    let start = local.epochMilliseconds
    do {
      yield { day: formatDay(number), start }
      number += WEEK_DAYS
      start += WEEK_MS
    } while (!isMoved && start < change && number <= last)
  }
}

const dayNumber = (day: string) => Date.parse(`${day}T00:00:00Z`) / DAY_MS
const formatDay = (number: number) => new Date(number * DAY_MS).toISOString().slice(0, 10)
