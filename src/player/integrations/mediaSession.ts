import { getAudioElement } from '#src/player/audio/audioGraph.ts'
import { pause, recordingPosition, resume, seek, skip } from '#src/player/engine.ts'
import { watchPlayer } from '#src/player/store.ts'
import { getTrackDisplay } from '#src/player/trackDisplay.ts'
import { SKIP_SECONDS } from './keyboardShortcuts.ts'

export function syncMediaSession() {
  if (!('mediaSession' in navigator)) return
  const { mediaSession } = navigator
  let shownMetadata = ''
  const element = getAudioElement()
  for (const event of ['seeked', 'durationchange', 'playing']) element.addEventListener(event, updatePositionState)
  setHandlers(false)

  watchPlayer((state, previous) => {
    mediaSession.playbackState = state.status === 'paused' ? 'paused' : 'playing'
    if (state.status !== 'paused') {
      const { title, artist, art } = getTrackDisplay(state)
      const album = state.recording ? '' : (state.nowPlaying?.song.album ?? '')
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
    if (state.recording !== previous.recording) setHandlers(state.recording !== null)
  })
}

function setHandlers(seekable: boolean) {
  const handlers: Partial<Record<MediaSessionAction, MediaSessionActionHandler | null>> = {
    play: resume,
    pause,
    stop: pause,
    seekbackward: seekable ? ({ seekOffset }) => skip(-(seekOffset ?? SKIP_SECONDS)) : null,
    seekforward: seekable ? ({ seekOffset }) => skip(seekOffset ?? SKIP_SECONDS) : null,
    seekto: seekable ? ({ seekTime }) => seek(seekTime ?? 0) : null,
  }
  for (const [action, handler] of Object.entries(handlers)) {
    try {
      navigator.mediaSession.setActionHandler(action as MediaSessionAction, handler)
    } catch {
      // The browser does not support this action.
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
    // The browser does not support positions.
  }
}
