import type { NowPlaying, Song } from './radioAnswers.ts'

export type { NowPlaying, Song, Station } from './radioAnswers.ts'

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
