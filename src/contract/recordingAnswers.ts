import { z } from 'zod'

export const trackSchema = z
  .object({
    seconds: z.number().describe('position in the recording'),
    artist: z.string(),
    title: z.string(),
  })
  .meta({ id: 'Track' })
export type Track = z.output<typeof trackSchema>

export const recordedBroadcastSchema = z
  .object({
    id: z.int(),
    stationId: z.int(),
    streamer: z.object({ id: z.int(), name: z.string() }),
    title: z.string().nullable(),
    startedAt: z.date(),
    seconds: z.number().describe('duration of the recording'),
    isHidden: z.boolean().describe('only the streamer and admins see hidden recordings'),
    tracks: z.array(trackSchema),
    thread: z
      .object({ boardId: z.string(), id: z.int() })
      .nullable()
      .describe('the thread that discusses the broadcast'),
    posts: z
      .array(z.object({ id: z.int(), seconds: z.number().describe('position in the recording') }))
      .describe('posts that were written in the thread during the broadcast'),
  })
  .meta({ id: 'RecordedBroadcast' })
export type RecordedBroadcast = z.output<typeof recordedBroadcastSchema>
