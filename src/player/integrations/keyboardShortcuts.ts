import { findTrack, loadTracklist } from '#src/lib/tracklists.ts'
import { setVolume, toggleMuted } from '#src/player/audio/audioGraph.ts'
import { recordingPosition, seek, skip, toggle } from '#src/player/engine.ts'
import { canBeShortcut } from '#src/player/shortcuts.ts'
import { getPlayer } from '#src/player/store.ts'

const VOLUME_STEP = 0.05
export const SKIP_SECONDS = 15

/** Returns null for arrow keys while paused, so that they scroll the page. */
function getAction(key: string): (() => void) | null {
  const { status, recording, volume } = getPlayer()
  if (key === ' ') return toggle
  if (key === 'm' || key === 'M') return toggleMuted
  if (status === 'paused') return null
  if (key === 'ArrowUp') return () => setVolume(volume + VOLUME_STEP)
  if (key === 'ArrowDown') return () => setVolume(volume - VOLUME_STEP)
  if (!recording) return null
  if (key === 'ArrowLeft') return () => skip(-SKIP_SECONDS)
  if (key === 'ArrowRight') return () => skip(SKIP_SECONDS)
  if (key === ',') return () => void jumpTrack(-1)
  if (key === '.') return () => void jumpTrack(1)
  return null
}

export function listenForShortcuts() {
  document.addEventListener('keydown', (event) => {
    if (event.shiftKey || !canBeShortcut(event)) return
    const action = getAction(event.key)
    if (!action || (event.repeat && !event.key.startsWith('Arrow'))) return
    event.preventDefault()
    action()
  })
}

/** Within this time after its start, "back" means the track before. */
const RESTART_SECONDS = 3

/** Seeks to the next or the previous track of the recording. */
async function jumpTrack(direction: 1 | -1): Promise<void> {
  const { recording } = getPlayer()
  if (!recording) return
  const tracks = (await loadTracklist(recording.broadcastId))?.tracks ?? []
  // The visitor may have started something else meanwhile.
  if (tracks.length === 0 || getPlayer().recording !== recording) return
  const { position } = recordingPosition()
  const index = findTrack(tracks, direction > 0 ? position : position - RESTART_SECONDS)
  const target = direction > 0 ? tracks[index + 1] : (tracks[index] ?? { seconds: 0 })
  if (target) seek(target.seconds)
}
