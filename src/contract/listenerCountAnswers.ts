import { z } from 'zod'

export const listenerCountsSchema = z
  .object({
    station: z.int(),
    minutes: z.int().describe('duration of each span'),
    peak: z
      .object({ listeners: z.int(), at: z.date() })
      .nullable()
      .describe('the highest count and the start of its span; null if nobody listened'),
    spans: z
      .array(z.object({ at: z.date(), listeners: z.int() }))
      .describe('the highest count of each span, oldest first; the last span is not over'),
  })
  .meta({ id: 'ListenerCounts' })
export type ListenerCounts = z.output<typeof listenerCountsSchema>
