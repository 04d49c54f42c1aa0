import { radioMessages, UNKNOWN_SONG } from '#src/contract/radio.ts'
import type { PlayerState } from './types.ts'

/** What the bar, the system's player and the document's title say is on. */
export type TrackDisplay = {
  title: string
  artist: string
  /** path of a picture, or null */
  art: string | null
  /** something is there to be named */
  known: boolean
  /** the name of who is live on air, or null */
  host: string | null
}

const NOTHING: TrackDisplay = { title: radioMessages.noTrack, artist: '', art: null, known: false, host: null }

/** Names what is on: the recording, the song, the placeholder of a silent service, or nothing. */
export function getTrackDisplay({ source, nowPlaying }: PlayerState): TrackDisplay {
  if (source.kind === 'recording') {
    const { title, streamer } = source.recording
    return { title, artist: streamer, art: null, known: true, host: null }
  }
  if (!nowPlaying || (nowPlaying.available && !nowPlaying.online)) return NOTHING
  const { song, live } = nowPlaying
  return {
    title: song.title || UNKNOWN_SONG.title,
    artist: song.artist,
    art: song.art,
    known: nowPlaying.available,
    host: live.isLive ? live.streamer : null,
  }
}
