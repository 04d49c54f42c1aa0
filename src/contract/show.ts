export type { OccurrenceView, ShowView } from './showAnswers.ts'

/** Limits of a show's fields, in characters, and of its duration. */
export const showLimits = {
  title: 100,
  description: 1000,
  streamerName: 40,
  minMinutes: 5,
  maxMinutes: 12 * 60,
  /** shows of one streamer; past shows count too */
  shows: 50,
} as const

/** Limits of a part of the schedule. */
export const scheduleLimits = {
  defaultDays: 7,
  maxDays: 62,
  occurrences: 500,
  /** weeks in the calendar feed, from now on and before */
  calendarWeeks: 26,
  calendarPastWeeks: 4,
} as const

/** When a show takes place. Days and times are local times of `zone`. */
export type ShowTiming = {
  /** IANA name, such as `Europe/Berlin` */
  zone: string
  /** YYYY-MM-DD */
  firstDay: string
  /** HH:MM */
  startTime: string
  minutes: number
  isWeekly: boolean
  /** YYYY-MM-DD; null for a weekly show without an end */
  lastDay: string | null
}

/** The schedule, and who is on air. */
export const SCHEDULE_PATH = '/radio'
/** The schedule as an iCalendar feed. */
export const CALENDAR_PATH = `${SCHEDULE_PATH}/schedule.ics`
/** Page where streamers find their settings, their level and their requests. */
export const GO_LIVE_PATH = '/go-live'
/** Documented call that adds a show. */
export const SHOWS_CALL = '/api/radio/shows'
