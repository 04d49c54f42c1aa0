import { z } from 'zod'

export const foundTrackSchema = z
  .object({
    id: z.int(),
    artist: z.string().describe('empty if unknown'),
    title: z.string(),
    seconds: z.number(),
    availableAt: z.date().nullable().describe('when the track can be requested again; null if it can be requested now'),
  })
  .meta({ id: 'RadioTrack' })
export type FoundTrack = z.output<typeof foundTrackSchema>

export const songRequestSchema = z
  .object({
    id: z.int(),
    trackId: z.int(),
    artist: z.string().describe('empty if unknown'),
    title: z.string(),
    seconds: z.number(),
    source: z.enum(['web', 'irc']),
    requestedAt: z.date(),
    expectedAt: z.date().nullable().describe('when the station plays the track; null while a streamer is on air'),
    isPlanned: z.boolean().describe('whether `expectedAt` is final'),
  })
  .meta({ id: 'SongRequest' })
export type SongRequestView = z.output<typeof songRequestSchema>
