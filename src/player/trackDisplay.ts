import { type NowPlaying, UNKNOWN_SONG } from '#src/contract/radio.ts'
import { t } from '#src/i18n/t.ts'
import type { PlayerState } from './store.ts'

type TrackDisplay = {
  title: string
  artist: string
  art: string | null
  isKnown: boolean
  host: string | null
  /** of a recording, whose cover is the streamer's tile */
  streamer: string | null
}

const UNKNOWN = { artist: '', art: null, isKnown: false, host: null, streamer: null }

export function getTrackDisplay({ recording, nowPlaying }: PlayerState): TrackDisplay {
  if (recording) {
    const { title, streamer } = recording
    return { ...UNKNOWN, title, artist: streamer, isKnown: true, streamer }
  }
  if (!nowPlaying || (nowPlaying.available && !nowPlaying.online)) return { ...UNKNOWN, title: t('player.noTrack') }
  const { song, live } = nowPlaying
  return {
    title: translateUnknown(song.title || UNKNOWN_SONG.title),
    artist: translateUnknown(song.artist),
    art: song.art,
    isKnown: nowPlaying.available,
    host: live.isLive ? live.streamer : null,
    streamer: null,
  }
}

/** Songs without a name, and answers without a song, have the names of `UNKNOWN_SONG`. */
const translateUnknown = (name: string) => (name === UNKNOWN_SONG.title ? t('player.unknown') : name)

/**
 * Returns what is on air, also while the player plays a recording.
 * @param initial the now-playing answer with which the server rendered the page
 */
export function getOnAir(player: PlayerState, initial: NowPlaying | null) {
  const nowPlaying = player.nowPlayingAt === 0 ? initial : player.nowPlaying
  const isOnline = nowPlaying?.online ?? false
  const track = getTrackDisplay({ ...player, recording: null, nowPlaying: isOnline ? nowPlaying : null })
  return {
    ...track,
    artist: nowPlaying?.available === false && !isOnline ? t('radio.unavailable') : track.artist,
    isLoading: player.nowPlayingAt === 0 && initial === null,
    isOnline,
    /** the streamer on air, if no sound comes from the source and the station plays */
    unheard: nowPlaying?.live.unheard ?? null,
    listeners: nowPlaying?.listeners.current ?? 0,
    isOn: player.recording === null && player.status !== 'paused',
  }
}
