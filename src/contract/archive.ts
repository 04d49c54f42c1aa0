import { z } from 'zod'
import type { TextKey } from '#src/i18n/types.ts'
import { flag, pathNumber } from './fields.ts'
import { refusal } from './refusal.ts'
import { isStorable, singleLine, UNSAFE_IN_LINE } from './text.ts'

/** Limits of a recording's fields and lists. */
export const recordingLimits = {
  title: 100,
  /** characters of an artist or title */
  text: 200,
  tracks: 1000,
  /** posts of the thread that the seek bar marks */
  posts: 500,
  /** the longest position of a track, in seconds */
  seconds: 7 * 24 * 3600,
} as const

/** Recordings of the site have smaller ids than files, whose ids are hashes. */
export const MIN_HASHED_ID = 2 ** 32

/** Whether the site made the recording, so that it can have a tracklist. */
export const isOwnRecording = (broadcastId: number): boolean => broadcastId > 0 && broadcastId < MIN_HASHED_ID

/** File in the root of the site. */
export const PODCAST_IMAGE = 'podcast.jpg'
export const PODCAST_TYPE = 'application/rss+xml'
export const PODCAST_PATH = '/archive/podcast.xml'
export const streamerPodcastPath = (streamerId: number) => `/archive/streamer/${streamerId}/podcast.xml`
export const chaptersPath = (broadcastId: number) => `/archive/broadcast/${broadcastId}/chapters.json`

/** A streamer's completed broadcasts. `latest` is an ISO date and time; `bytes` counts the recordings. */
export type BroadcastSummary = { count: number; latest: string | null; seconds: number; bytes: number }

export type EndedBroadcast = Broadcast & { timestampEnd: string }

export const hasEnded = (broadcast: Broadcast): broadcast is EndedBroadcast => broadcast.timestampEnd !== null

export const durationSeconds = ({ timestampStart, timestampEnd }: EndedBroadcast) =>
  Math.max(0, Math.round((Date.parse(timestampEnd) - Date.parse(timestampStart)) / 1000))

export function summarise(broadcasts: Broadcast[]): BroadcastSummary {
  const summary: BroadcastSummary = { count: 0, latest: null, seconds: 0, bytes: 0 }
  for (const broadcast of broadcasts.filter(hasEnded)) {
    const { timestampStart, recording } = broadcast
    summary.count++
    if (summary.latest === null || Date.parse(timestampStart) > Date.parse(summary.latest)) {
      summary.latest = timestampStart
    }
    summary.seconds += durationSeconds(broadcast)
    summary.bytes += recording?.size ?? 0
  }
  return summary
}

export const addSummaries = (a: BroadcastSummary, b: BroadcastSummary): BroadcastSummary => ({
  count: a.count + b.count,
  latest:
    [a.latest, b.latest]
      .filter((latest) => latest !== null)
      .sort()
      .at(-1) ?? null,
  seconds: a.seconds + b.seconds,
  bytes: a.bytes + b.bytes,
})

export const downloadPath = (stationId: number, streamerId: number, broadcastId: number) =>
  `/api/radio/station/${stationId}/streamer/${streamerId}/broadcast/${broadcastId}/download`

/** Id of a broadcast's row on the page. */
export const broadcastAnchor = (broadcastId: number) => `broadcast-${broadcastId}`

/** The archive, opened at a broadcast. */
export const broadcastPath = (streamerId: number, broadcastId: number) =>
  `/archive?streamer=${streamerId}#${broadcastAnchor(broadcastId)}`

/** Podcast apps expect URLs that end like files. */
export const enclosurePath = (
  { stationId, streamerId, broadcastId }: { stationId: number; streamerId: number; broadcastId: number },
  extension: string,
) => `/archive/recording/${stationId}/${streamerId}/${broadcastId}.${extension}`

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

const optionalLine = (label: TextKey) =>
  z
    .string(refusal('archive.recordingTrack'))
    .refine(isStorable, { message: refusal('failure.unstorable'), abort: true })
    .trim()
    .max(recordingLimits.text, refusal('failure.tooLong', { label, max: recordingLimits.text }))
    .refine((value) => !UNSAFE_IN_LINE.test(value), refusal('failure.oneLine', { label }))

const track = z
  .object({
    seconds: z
      .number(refusal('archive.recordingPosition'))
      .min(0, refusal('archive.recordingPosition'))
      .max(recordingLimits.seconds, refusal('archive.recordingPosition')),
    artist: optionalLine('field.artist'),
    title: optionalLine('field.title'),
  })
  .refine(({ artist, title }) => artist !== '' || title !== '', refusal('archive.recordingTrack'))

export const recordingParams = z.object({ id: pathNumber })

/** Fields that are missing stay as they are. */
export const recordingUpdate = z.object({
  id: pathNumber,
  title: singleLine(refusal('archive.recordingTitle'), 'field.title', recordingLimits.title).nullable().optional(),
  isHidden: flag('isHidden').optional(),
  tracks: z
    .array(track, refusal('failure.required', { field: 'tracks' }))
    .max(recordingLimits.tracks, refusal('archive.recordingTooManyTracks', { max: recordingLimits.tracks }))
    .optional(),
})
export type RecordingUpdate = z.infer<typeof recordingUpdate>
