import { Heart } from 'lucide-react'
import type { Track } from '#src/contract/archive.ts'
import { t } from '#src/i18n/t.ts'
import { type Favourite, favouriteKey, favourites, toggleFavourite } from '#src/lib/favourites.ts'
import { findTrack, useTracklist } from '#src/lib/tracklists.ts'
import { type PlayerState, usePlayer } from '#src/player/store.ts'
import { getTrackDisplay } from '#src/player/trackDisplay.ts'
import { IconButton } from '#src/ui/IconButton.tsx'
import { toast } from '#src/ui/Toast.tsx'
import { usePosition } from './usePosition.ts'

const NO_RECORDING = 0

/** Marks the playing track, of a recording without a tracklist the recording. The list stays in this browser. */
export function FavouriteButton({ className }: { className?: string }) {
  const player = usePlayer()
  const list = favourites.useValue()
  const { elapsed } = usePosition()
  const tracks = useTracklist(player.recording?.broadcastId ?? NO_RECORDING)?.broadcast?.tracks ?? []
  const playing = tracks[findTrack(tracks, elapsed)]
  const track = getTrack(player, playing, elapsed)
  const isMarked = track !== null && list.some((other) => favouriteKey(other) === favouriteKey(track))

  function toggle() {
    if (!track) return
    toggleFavourite({ ...track, savedAt: new Date().toISOString() })
    toast(isMarked ? t('player.favouriteRemoved') : t('player.favouriteAdded'))
  }

  return (
    <IconButton
      icon={Heart}
      label={t('player.addToFavourites')}
      aria-pressed={isMarked}
      className={className}
      disabled={!track}
      onClick={toggle}
    />
  )
}

/**
 * Returns null if nothing plays, or if the name of the track is unknown.
 * @param playing the track of the recording
 * @param seconds the position in the recording
 */
function getTrack(player: PlayerState, playing: Track | undefined, seconds: number): Omit<Favourite, 'savedAt'> | null {
  const { recording, stations, stationId } = player
  const { artist, title, isKnown } = getTrackDisplay(player)
  if (!isKnown || title === '') return null
  if (!recording) {
    const station = stations.find(({ id }) => id === stationId)?.name ?? ''
    return { artist, title, station, recording: null }
  }
  const { streamerId, broadcastId } = recording
  const mark = { title: recording.title, stationId: recording.stationId, streamerId, broadcastId, seconds }
  const name = playing?.title ? { artist: playing.artist, title: playing.title } : { artist, title }
  return { ...name, station: '', recording: mark }
}
