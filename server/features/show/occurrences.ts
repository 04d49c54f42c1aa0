import { Temporal } from 'temporal-polyfill'
import type { ShowTiming } from '#src/contract/show.ts'

export type Occurrence = { startsAt: Date; endsAt: Date }

const DAYS_PER_WEEK = 7

/**
 * Returns the times when a show takes place, as far as they overlap with a span, earliest first. A weekly show keeps its
 * local time when the clocks change. A time that a change of clocks skips is moved forward, as calendars do.
 */
export function listOccurrences(timing: ShowTiming, from: Date, to: Date): Occurrence[] {
  const { zone, minutes, isWeekly } = timing
  const firstDay = Temporal.PlainDate.from(timing.firstDay)
  const lastDay = isWeekly ? (timing.lastDay === null ? null : Temporal.PlainDate.from(timing.lastDay)) : firstDay
  const plainTime = Temporal.PlainTime.from(timing.startTime)
  const occurrences: Occurrence[] = []
  for (let day = isWeekly ? firstWeek(firstDay, zone, minutes, from) : firstDay; ; ) {
    if (lastDay && Temporal.PlainDate.compare(day, lastDay) > 0) return occurrences
    const start = day.toZonedDateTime({ timeZone: zone, plainTime }).epochMilliseconds
    const end = start + minutes * 60_000
    if (start >= to.getTime()) return occurrences
    if (end > from.getTime()) occurrences.push({ startsAt: new Date(start), endsAt: new Date(end) })
    day = day.add({ days: DAYS_PER_WEEK })
  }
}

/** Skips the weeks that are over before the span begins. */
function firstWeek(firstDay: Temporal.PlainDate, zone: string, minutes: number, from: Date): Temporal.PlainDate {
  const earliest = Temporal.Instant.fromEpochMilliseconds(from.getTime() - minutes * 60_000)
    .toZonedDateTimeISO(zone)
    .toPlainDate()
    .subtract({ days: 1 })
  const weeks = Math.floor(firstDay.until(earliest, { largestUnit: 'days' }).days / DAYS_PER_WEEK)
  return weeks > 0 ? firstDay.add({ days: weeks * DAYS_PER_WEEK }) : firstDay
}
