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

export const showMessages = {
  login: 'You must be logged in to plan shows',
  notStreamer: 'Only streamers can plan shows',
  notOwn: 'This is the show of another streamer',
  streamer: 'Choose the streamer of the show',
  streamerNotFound: 'Streamer not found',
  title: 'A title is required',
  description: 'The description must be text',
  zone: 'Choose a time zone, such as Europe/Berlin',
  day: 'Choose the first day of the show, such as 2026-11-27',
  lastDay: 'The last day must be a date, such as 2026-12-31',
  lastDayFirst: 'The last day must not be before the first day',
  time: 'The start must be a time from 00:00 to 23:59',
  minutes: `A show takes ${showLimits.minMinutes} to ${showLimits.maxMinutes} minutes`,
  isWeekly: 'isWeekly must be true or false',
  removeImage: 'removeImage must be true or false',
  updatedAt: 'updatedAt must be the value that the show was read with',
  span: 'from and to must be times such as 2026-11-27T20:00:00Z',
  spanOrder: 'to must be after from',
  spanLength: `from and to must be at most ${scheduleLimits.maxDays} days apart`,
  notFound: 'Show not found',
  changed: 'Someone else changed this show in the meantime',
  full: `A streamer can have at most ${showLimits.shows} shows. Delete an old one first.`,
} as const

/** @param at when both shows take place for the first time */
export function overlapText(title: string, at: Date): string {
  const [year, month, day, time] = at.toISOString().slice(0, 16).split(/[-T]/)
  return `This overlaps with “${title}” on ${day}/${month}/${year} ${time} UTC`
}
