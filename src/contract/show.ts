import { z } from 'zod'
import { editedVersion, flag, instant, wholeNumber } from './fields.ts'
import { imageFileSchema, UploadedFile } from './image.ts'
import { type Refusal, refusal } from './refusal.ts'
import { optionalLines, singleLine } from './text.ts'

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

/** The schedule, and who is on air. */
export const SCHEDULE_PATH = '/radio'
/** The schedule as an iCalendar feed. */
export const CALENDAR_PATH = `${SCHEDULE_PATH}/schedule.ics`
/** Page where streamers find their settings, their level and their requests. */
export const GO_LIVE_PATH = '/go-live'
/** Documented call that adds a show. */
export const SHOWS_CALL = '/api/radio/shows'

/** Excludes offsets such as `+01:00`, which know no summer time, and limits the length of what is looked up. */
const NAME = /^[A-Za-z][A-Za-z0-9_+/-]{1,49}$/

/** Returns whether a text is an IANA name of a time zone that this program knows. */
function isTimeZone(name: string): boolean {
  if (!NAME.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

export const showSchema = z
  .object({
    id: z.int(),
    title: z.string(),
    description: z.string().describe('can be empty'),
    streamer: z.string().describe('name of the streamer'),
    image: imageFileSchema
      .extend({
        preview: imageFileSchema.describe('at most 160 × 160 CSS px, with more pixels for dense screens'),
        display: imageFileSchema.describe('at most 480 × 480 CSS px'),
      })
      .nullable(),
    zone: z.string().describe('IANA name of the time zone of `firstDay`, `startTime` and `lastDay`'),
    firstDay: z.string().describe('YYYY-MM-DD'),
    startTime: z.string().describe('HH:MM'),
    minutes: z.int(),
    isWeekly: z.boolean(),
    lastDay: z.string().nullable().describe('YYYY-MM-DD; null for a weekly show without an end'),
    updatedAt: z.date(),
  })
  .meta({ id: 'Show' })
export type ShowView = z.output<typeof showSchema>
/** When a show takes place. Days and times are local times of `zone`. */
export type ShowTiming = Pick<ShowView, 'zone' | 'firstDay' | 'startTime' | 'minutes' | 'isWeekly' | 'lastDay'>

export const occurrenceSchema = z.object({ startsAt: z.date(), endsAt: z.date(), show: showSchema })
export type OccurrenceView = z.output<typeof occurrenceSchema>
/** The scheduled show that is running, and the next one within a week. */
export type UpcomingShows = { current: OccurrenceView | null; next: OccurrenceView | null }

const DAY_MS = 24 * 60 * 60 * 1000
const EARLIEST = new Date('2000-01-01T00:00:00Z')
const LATEST = new Date('2100-01-01T00:00:00Z')

/** Limits the years: times of other centuries are typing errors. */
const calendarDay = (message: string) => z.iso.date(message).regex(/^20/, message)

const fields = {
  title: singleLine(refusal('show.titleRefusal'), 'field.title', showLimits.title),
  description: optionalLines(refusal('show.descriptionRefusal'), 'field.description', showLimits.description).default(
    '',
  ),
  image: z.instanceof(UploadedFile, { error: refusal('image.type') }).optional(),
  zone: z.string(refusal('show.zoneRefusal')).refine(isTimeZone, refusal('show.zoneRefusal')),
  firstDay: calendarDay(refusal('show.dayRefusal')),
  startTime: z.string(refusal('show.time')).regex(/^([01]\d|2[0-3]):[0-5]\d$/, refusal('show.time')),
  minutes: wholeNumber(
    refusal('show.minutesRefusal', { min: showLimits.minMinutes, max: showLimits.maxMinutes }),
    showLimits.minMinutes,
    showLimits.maxMinutes,
  ),
  isWeekly: flag('isWeekly').default(false),
  lastDay: z
    .union([calendarDay(refusal('show.lastDayRefusal')), z.literal('')], refusal('show.lastDayRefusal'))
    .nullish()
    .transform((day) => day || null)
    .describe('only of a weekly show; empty or null for a show without an end'),
}

type Days = { firstDay: string; lastDay: string | null }
const endsAfterItBegins = ({ firstDay, lastDay }: Days) => lastDay === null || lastDay >= firstDay
const order = { error: refusal('show.lastDayFirst'), path: ['lastDay'] }

const id = z.coerce.string<string | number>()
export const showParams = z.object({ id })

export const showForm = z
  .object({
    ...fields,
    streamer: singleLine(refusal('show.streamerRefusal'), 'field.streamer', showLimits.streamerName)
      .optional()
      .describe('name of the streamer; only for admins, who may plan shows of all streamers'),
  })
  .refine(endsAfterItBegins, order)
export type ShowForm = z.output<typeof showForm>

export const showUpdate = z
  .object({
    id,
    ...fields,
    removeImage: flag('removeImage').default(false),
    updatedAt: editedVersion(refusal('show.updatedAt')),
  })
  .refine(endsAfterItBegins, order)
export type ShowUpdate = z.output<typeof showUpdate>

const spanEnd = instant(refusal('show.span'))
  // Calendars do not work with the largest times of JavaScript.
  .refine((value) => value >= EARLIEST && value < LATEST, refusal('show.span'))
  .optional()

export const scheduleInput = z.object({
  from: spanEnd.describe('the default is now'),
  to: spanEnd.describe(
    `at most ${scheduleLimits.maxDays} days after \`from\`; the default is ${scheduleLimits.defaultDays} days after it`,
  ),
})

/** Returns why a part of the schedule is refused, or null. */
export function findSpanError({ from, to }: { from: Date; to: Date }): Refusal | null {
  if (to <= from) return refusal('show.spanOrder')
  return to.getTime() - from.getTime() > scheduleLimits.maxDays * DAY_MS
    ? refusal('show.spanLength', { max: scheduleLimits.maxDays })
    : null
}
