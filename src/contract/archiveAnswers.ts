import { z } from 'zod'

/** Names with an underscore are part of the documented API. */
export const streamerSchema = z
  .object({
    id: z.int(),
    streamer_username: z.string(),
    display_name: z.string(),
    comments: z.string().nullable(),
  })
  .meta({ id: 'Streamer' })
export type Streamer = z.output<typeof streamerSchema>

export const broadcastSchema = z
  .object({
    id: z.int(),
    title: z.string().nullable(),
    timestampStart: z.iso.datetime({ offset: true }),
    timestampEnd: z.iso.datetime({ offset: true }).nullable().describe('null while the broadcast is running'),
    recording: z
      .object({
        size: z.int().describe('in bytes'),
        type: z.string().optional().describe('media type, if the site made the recording'),
      })
      .nullable()
      .describe('null if there is no recording'),
    tracks: z.int().optional().describe('length of the tracklist, if the site made the recording'),
  })
  .meta({ id: 'Broadcast' })
export type Broadcast = z.output<typeof broadcastSchema>
