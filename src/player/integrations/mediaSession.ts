import { getAudioElement } from '#src/player/audio/audioElement.ts'
import { pause, recordingPosition, resume, seek } from '#src/player/engine.ts'
import { getPlayer, subscribePlayer } from '#src/player/store.ts'
import { getTrackDisplay } from '#src/player/trackDisplay.ts'
import { SKIP_SECONDS } from './keyboardShortcuts.ts'

export function syncMediaSession() {
  if (!('mediaSession' in navigator)) return
  const { mediaSession } = navigator
  let shownMetadata = ''
  let kind = ''
  let element: HTMLAudioElement | null = null

  function update() {
    const state = getPlayer()
    mediaSession.playbackState = state.status === 'paused' ? 'paused' : 'playing'
    if (state.status !== 'paused') {
      const { title, artist, art } = getTrackDisplay(state)
      const album = state.source.kind === 'live' ? (state.nowPlaying?.song.album ?? '') : ''
      const next = JSON.stringify([title, artist, album, art])
      if (next !== shownMetadata) {
        mediaSession.metadata = new MediaMetadata({
          title,
          artist,
          album,
          artwork: art ? [{ src: new URL(art, location.href).href }] : [],
        })
      }
      shownMetadata = next
    }
    if (state.source.kind !== kind) setHandlers(state.source.kind === 'recording')
    kind = state.source.kind
    if (!element) {
      element = getAudioElement()
      for (const event of ['seeked', 'durationchange', 'playing']) element?.addEventListener(event, updatePositionState)
    }
  }
  subscribePlayer(update)
  update()
}

function setHandlers(seekable: boolean) {
  const skip = (sign: number) => (details: MediaSessionActionDetails) =>
    seek(recordingPosition().position + sign * (details.seekOffset ?? SKIP_SECONDS))
  const handlers: Partial<Record<MediaSessionAction, MediaSessionActionHandler | null>> = {
    play: resume,
    pause,
    stop: pause,
    seekbackward: seekable ? skip(-1) : null,
    seekforward: seekable ? skip(1) : null,
    seekto: seekable ? ({ seekTime }) => seek(seekTime ?? 0) : null,
  }
  for (const [action, handler] of Object.entries(handlers)) {
    try {
      navigator.mediaSession.setActionHandler(action as MediaSessionAction, handler)
    } catch {
      // this browser does not support the action
    }
  }
}

function updatePositionState() {
  const { position, duration } = recordingPosition()
  try {
    if (duration > 0) {
      navigator.mediaSession.setPositionState({ duration, position: Math.min(position, duration), playbackRate: 1 })
    } else navigator.mediaSession.setPositionState()
  } catch {
    // this browser does not support positions
  }
}
