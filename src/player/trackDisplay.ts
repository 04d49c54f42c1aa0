import { radioMessages, UNKNOWN_SONG } from '#src/contract/radio.ts'
import type { PlayerState } from './types.ts'

export type TrackDisplay = {
  title: string
  artist: string
  art: string | null
  isKnown: boolean
  host: string | null
  /** of a recording, whose cover is the streamer's tile */
  streamer: string | null
}

const NO_TRACK: TrackDisplay = {
  title: radioMessages.noTrack,
  artist: '',
  art: null,
  isKnown: false,
  host: null,
  streamer: null,
}

export function getTrackDisplay({ source, nowPlaying }: PlayerState): TrackDisplay {
  if (source.kind === 'recording') {
    const { title, streamer } = source.recording
    return { title, artist: streamer, art: null, isKnown: true, host: null, streamer }
  }
  if (!nowPlaying || (nowPlaying.available && !nowPlaying.online)) return NO_TRACK
  const { song, live } = nowPlaying
  return {
    title: song.title || UNKNOWN_SONG.title,
    artist: song.artist,
    art: song.art,
    isKnown: nowPlaying.available,
    host: live.isLive ? live.streamer : null,
    streamer: null,
  }
}
