import { z } from 'zod'
import { pathNumber, wholeNumber } from './fields.ts'
import { refusal } from './refusal.ts'

export const UNKNOWN_SONG: Song = { title: 'Unknown', artist: 'Unknown', album: 'Unknown', art: null }

export const UNKNOWN_NOW_PLAYING: NowPlaying = {
  song: UNKNOWN_SONG,
  elapsed: 0,
  duration: 0,
  listeners: { current: 0, peak: 0 },
  live: { isLive: false, streamer: '' },
  isRequest: false,
  history: [],
  online: false,
  available: false,
}

/** Poll interval of the server, and of browsers without an event connection. */
export const NOW_PLAYING_SECONDS = 10

/** Page with the tracks that this browser's listener has marked. */
export const FAVOURITES_PATH = '/favourites'
/** Page where listeners request songs and read the queue. */
export const SONG_REQUESTS_PATH = '/song-requests'

export const streamPath = (stationId: number) => `/radio/${stationId}/stream`

/** Playlists of a stream, which players on a listener's device open. */
export const playlistFormats = ['m3u', 'pls', 'xspf'] as const
export type PlaylistFormat = (typeof playlistFormats)[number]
export const playlistPath = (stationId: number, format: PlaylistFormat) => `/radio/${stationId}.${format}`

export const MAX_LISTENER_HOURS = 7 * 24

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

export const stationParams = z.object({ stationId: pathNumber })
export const streamerParams = stationParams.extend({ streamerId: pathNumber })
export const broadcastParams = streamerParams.extend({ broadcastId: pathNumber })

/** Unusable values of untrusted JSON count as missing. */
const stationId = z.coerce.number().int().positive().max(999_999_999)

/** A call of an AzuraCast. `station` is an object in its JSON, and may be an id in the URL. */
export const azuracastCall = z.object({
  token: z.string().max(200).optional().catch(undefined).describe('AZURACAST_WEBHOOK_TOKEN, if no header has it'),
  authorization: z
    .string()
    .max(1000)
    .optional()
    .catch(undefined)
    .describe('AZURACAST_WEBHOOK_TOKEN as a bearer token, or as the password of any user'),
  station: z
    .union([z.object({ id: stationId }).transform(({ id }) => id), stationId])
    .optional()
    .catch(undefined)
    .describe('the station that changed; the first one if missing'),
})

export const listenerCountsInput = z.object({
  station: pathNumber.default(1),
  hours: wholeNumber(refusal('radio.listenerHours', { max: MAX_LISTENER_HOURS }), 1, MAX_LISTENER_HOURS)
    .default(24)
    .describe('how far back the counts go'),
})
