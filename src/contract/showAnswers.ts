import { z } from 'zod'
import { imageFileSchema } from './imageAnswers.ts'

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

export const occurrenceSchema = z.object({ startsAt: z.date(), endsAt: z.date(), show: showSchema })
export type OccurrenceView = z.output<typeof occurrenceSchema>
