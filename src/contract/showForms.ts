import { z } from 'zod'
import { imageMessages, UploadedFile } from './image.ts'
import { scheduleLimits, showLimits, showMessages } from './show.ts'
import { optionalLines, singleLine } from './text.ts'
import { isTimeZone } from './timeZone.ts'
import { editedVersion } from './version.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const EARLIEST = new Date('2000-01-01T00:00:00Z')
const LATEST = new Date('2100-01-01T00:00:00Z')

/** Limits the years: times of other centuries are typing errors. */
const calendarDay = (message: string) => z.iso.date(message).regex(/^20/, message)

const fields = {
  title: singleLine(showMessages.title, 'Title', showLimits.title),
  description: optionalLines(showMessages.description, 'Description', showLimits.description).default(''),
  image: z.instanceof(UploadedFile, { error: imageMessages.type }).optional(),
  zone: z.string(showMessages.zone).refine(isTimeZone, showMessages.zone),
  firstDay: calendarDay(showMessages.day),
  startTime: z.string(showMessages.time).regex(/^([01]\d|2[0-3]):[0-5]\d$/, showMessages.time),
  minutes: z
    .int(showMessages.minutes)
    .min(showLimits.minMinutes, showMessages.minutes)
    .max(showLimits.maxMinutes, showMessages.minutes),
  isWeekly: z.boolean(showMessages.isWeekly).default(false),
  lastDay: z
    .union([calendarDay(showMessages.lastDay), z.literal('')], showMessages.lastDay)
    .nullish()
    .transform((day) => day || null)
    .describe('only of a weekly show; empty or null for a show without an end'),
}

type Days = { firstDay: string; lastDay: string | null }
const endsAfterItBegins = ({ firstDay, lastDay }: Days) => lastDay === null || lastDay >= firstDay
const order = { error: showMessages.lastDayFirst, path: ['lastDay'] }

const id = z.coerce.string<string | number>()
export const showParams = z.object({ id })

export const showForm = z
  .object({
    ...fields,
    streamer: singleLine(showMessages.streamer, 'Streamer', showLimits.streamerName)
      .optional()
      .describe('name of the streamer; only for admins, who may plan shows of all streamers'),
  })
  .refine(endsAfterItBegins, order)
export type ShowForm = z.output<typeof showForm>

export const showUpdate = z
  .object({
    id,
    ...fields,
    removeImage: z.boolean(showMessages.removeImage).default(false),
    updatedAt: editedVersion(showMessages.updatedAt),
  })
  .refine(endsAfterItBegins, order)
export type ShowUpdate = z.output<typeof showUpdate>

const instant = z
  .union([z.date(), z.iso.datetime({ offset: true, error: showMessages.span })], showMessages.span)
  .transform((value) => new Date(value))
  // Calendars do not work with the largest times of JavaScript.
  .refine((value) => value >= EARLIEST && value < LATEST, showMessages.span)
  .optional()

export const scheduleInput = z.object({
  from: instant.describe('the default is now'),
  to: instant.describe(
    `at most ${scheduleLimits.maxDays} days after \`from\`; the default is ${scheduleLimits.defaultDays} days after it`,
  ),
})

/** Returns why a part of the schedule is refused, or null. */
export function findSpanError({ from, to }: { from: Date; to: Date }): string | null {
  if (to <= from) return showMessages.spanOrder
  return to.getTime() - from.getTime() > scheduleLimits.maxDays * DAY_MS ? showMessages.spanLength : null
}
