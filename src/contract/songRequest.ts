import { SONG_REQUESTS_PATH } from './radio.ts'
import type { SongRequestView } from './songRequestAnswers.ts'

export type { FoundTrack, SongRequestView } from './songRequestAnswers.ts'

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
