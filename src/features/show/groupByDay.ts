import type { OccurrenceView } from '#src/contract/show.ts'
import { t } from '#src/i18n/t.ts'
import type { TimeFormat } from './ShowTime.tsx'

export type ScheduleDay = { name: string; date: string; occurrences: OccurrenceView[] }

/** Groups what takes place by the day on which it begins. */
export function groupByDay(occurrences: OccurrenceView[], { weekday, date, now }: TimeFormat): ScheduleDay[] {
  const days = new Map<string, ScheduleDay>()
  const today = now === null ? null : new Date(now)
  const tomorrow = today && new Date(today)
  // A day has 23 or 25 hours when the clocks change.
  tomorrow?.setDate(tomorrow.getDate() + 1)
  for (const occurrence of occurrences) {
    const key = date(occurrence.startsAt)
    const name =
      today && key === date(today)
        ? t('show.today')
        : tomorrow && key === date(tomorrow)
          ? t('show.tomorrow')
          : weekday(occurrence.startsAt)
    const day = days.get(key) ?? { name, date: key, occurrences: [] }
    day.occurrences.push(occurrence)
    days.set(key, day)
  }
  return [...days.values()]
}
