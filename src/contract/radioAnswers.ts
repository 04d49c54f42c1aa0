import { z } from 'zod'

/** `listen_url` has an underscore, because the documented API requires this name. */
export const stationSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    description: z.string(),
    listen_url: z.string().describe("stream URL: this site's relay, or the radio service if `direct` is true"),
    direct: z.boolean(),
    takesRequests: z.boolean().describe('whether listeners can request songs'),
  })
  .meta({ id: 'Station' })
export type Station = z.output<typeof stationSchema>

export const songSchema = z
  .object({
    title: z.string(),
    artist: z.string(),
    album: z.string(),
    art: z.string().nullable().describe('a path on this site, or null'),
  })
  .meta({ id: 'Song' })
export type Song = z.output<typeof songSchema>

export const nowPlayingSchema = z
  .object({
    song: songSchema,
    elapsed: z.number().describe('seconds played when the server responded'),
    duration: z.number().describe('seconds; 0 if unknown, for example in a live show'),
    listeners: z.object({ current: z.int(), peak: z.int() }),
    live: z.object({
      isLive: z.boolean(),
      streamer: z.string(),
      unheard: z
        .string()
        .optional()
        .describe('streamer on air whose source sends silence or is interrupted, so that the station plays'),
      thread: z.string().optional().describe('path of the thread that discusses the broadcast, if there is one'),
    }),
    isRequest: z.boolean().describe('whether a listener requested the song'),
    history: z
      .array(z.object({ song: songSchema, playedAt: z.iso.datetime().nullable(), isRequest: z.boolean() }))
      .describe('newest first'),
    online: z.boolean(),
    available: z
      .boolean()
      .describe('false if the radio service does not respond; all other fields are then placeholders'),
  })
  .meta({ id: 'NowPlaying' })
export type NowPlaying = z.output<typeof nowPlayingSchema>
