import { z } from 'zod'
import { pathNumber } from './fields.ts'
import { SONG_REQUESTS_PATH } from './radio.ts'
import { refusal } from './refusal.ts'
import { isStorable } from './text.ts'

/** @param query empty for the page without a search */
export const songRequestsPath = (query: string): string =>
  query ? `${SONG_REQUESTS_PATH}?${new URLSearchParams({ q: query })}` : SONG_REQUESTS_PATH
export const TRACKS_CALL = '/api/radio/tracks'
export const SONG_REQUESTS_CALL = '/api/radio/requests'

export const songRequestLimits = {
  /** characters of a query */
  query: 100,
  /** words of a query that are compared */
  words: 8,
  /** tracks per answer */
  results: 20,
  /** waiting requests, so that the last one is played within some hours */
  waiting: 20,
  /** a request is skipped after this time */
  waitHours: 2,
} as const

export type RequestQueue = {
  requests: SongRequestView[]
  /** name of the streamer on air: the station then plays no requests */
  streamerName: string | null
}

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

export const tracksInput = z.object({
  q: z
    .string(refusal('radio.requestQuery', { max: songRequestLimits.query }))
    .refine(isStorable, { message: refusal('failure.unstorable'), abort: true })
    .max(songRequestLimits.query, refusal('radio.requestQuery', { max: songRequestLimits.query }))
    .default(''),
})

export const songRequestForm = z.object({ trackId: z.int(refusal('radio.requestTrack')) })

export const finishInput = z.object({
  id: pathNumber,
  outcome: z.enum(['played', 'skipped'], refusal('radio.requestOutcome')).default('skipped'),
})
