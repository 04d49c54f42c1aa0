import { z } from 'zod'

/** Path to which sources of a station connect. Programs that know only a mount use any path with one segment. */
export const sourcePath = (stationId: number) => `/radio/${stationId}/source`
/** Mount of the level test: it never goes on air. */
export const TEST_MOUNT = '/test'

const titleSchema = z.object({ artist: z.string(), title: z.string() })

export const connectedSourceSchema = z
  .object({
    id: z.string(),
    stationId: z.int(),
    mount: z.string(),
    streamer: z.object({ userId: z.string(), name: z.string() }),
    state: z
      .enum(['testing', 'standby', 'on-air', 'silent'])
      .describe('`standby`: another source is on air; `silent`: it sends silence, so the station plays'),
    client: z.string().describe("the streamer's program"),
    type: z.string().describe('media type'),
    format: z.string(),
    kilobitsPerSecond: z.int(),
    connectedAt: z.date(),
    level: z
      .object({ peak: z.number(), rms: z.number() })
      .nullable()
      .describe('levels of the last second in dBFS; null if the server cannot measure the format'),
    title: titleSchema.nullable(),
  })
  .meta({ id: 'ConnectedSource' })
export type ConnectedSourceView = z.output<typeof connectedSourceSchema>

export const refusedSourceSchema = z
  .object({
    client: z.string().describe('the program; can be empty'),
    reason: z.enum(['password', 'sound']).describe('`sound`: it sent no MP3, AAC or Ogg'),
    attempts: z.int().describe('within the last minutes'),
    lastAt: z.date(),
  })
  .meta({ id: 'RefusedSource' })
export type RefusedSourceView = z.output<typeof refusedSourceSchema>

export const liveSchema = z
  .object({
    broadcastId: z.int(),
    streamer: z.string(),
    showId: z.int().nullable(),
    title: z.string().nullable().describe('title of the show'),
    startedAt: z.date(),
    threadId: z.int().nullable().describe('thread that discusses the broadcast'),
  })
  .meta({ id: 'Live' })
export type LiveView = z.output<typeof liveSchema>

/** Accepts any string: an invalid id gets the same 404 as an unknown id. */
export const sourceParams = z.object({ id: z.string() })
