import { radioMessages, UNKNOWN_SONG } from '#src/contract/radio.ts'
import type { PlayerState } from './types.ts'

/** The track as the bar, the media session and the document title show it. */
export type TrackDisplay = {
  title: string
  artist: string
  /** path of the cover, or null */
  art: string | null
  /** whether the track is known */
  known: boolean
  /** name of the live host, or null */
  host: string | null
}

const NOTHING: TrackDisplay = { title: radioMessages.noTrack, artist: '', art: null, known: false, host: null }

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
