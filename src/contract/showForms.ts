import { z } from 'zod'
import { UploadedFile } from './image.ts'
import { type Refusal, refusal } from './refusal.ts'
import { scheduleLimits, showLimits } from './show.ts'
import { optionalLines, singleLine } from './text.ts'
import { isTimeZone } from './timeZone.ts'
import { editedVersion } from './version.ts'

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
  minutes: z
    .int(refusal('show.minutesRefusal', { min: showLimits.minMinutes, max: showLimits.maxMinutes }))
    .min(
      showLimits.minMinutes,
      refusal('show.minutesRefusal', { min: showLimits.minMinutes, max: showLimits.maxMinutes }),
    )
    .max(
      showLimits.maxMinutes,
      refusal('show.minutesRefusal', { min: showLimits.minMinutes, max: showLimits.maxMinutes }),
    ),
  isWeekly: z.boolean(refusal('show.isWeekly')).default(false),
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
    removeImage: z.boolean(refusal('show.removeImage')).default(false),
    updatedAt: editedVersion(refusal('show.updatedAt')),
  })
  .refine(endsAfterItBegins, order)
export type ShowUpdate = z.output<typeof showUpdate>

const instant = z
  .union([z.date(), z.iso.datetime({ offset: true, error: refusal('show.span') })], refusal('show.span'))
  .transform((value) => new Date(value))
  // Calendars do not work with the largest times of JavaScript.
  .refine((value) => value >= EARLIEST && value < LATEST, refusal('show.span'))
  .optional()

export const scheduleInput = z.object({
  from: instant.describe('the default is now'),
  to: instant.describe(
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
