import { setVolume, toggleMuted } from '#src/player/audio/volume.ts'
import { skip, toggle } from '#src/player/engine.ts'
import { canBeShortcut } from '#src/player/shortcuts.ts'
import { getPlayer } from '#src/player/store.ts'

const VOLUME_STEP = 0.05
export const SKIP_SECONDS = 15

/** Returns null for arrow keys while paused, so that they scroll the page. */
function getAction(key: string): (() => void) | null {
  const { status, source, volume } = getPlayer()
  if (key === ' ') return toggle
  if (key === 'm' || key === 'M') return toggleMuted
  if (status === 'paused') return null
  if (key === 'ArrowUp') return () => setVolume(volume + VOLUME_STEP)
  if (key === 'ArrowDown') return () => setVolume(volume - VOLUME_STEP)
  if (source.kind !== 'recording') return null
  if (key === 'ArrowLeft') return () => skip(-SKIP_SECONDS)
  if (key === 'ArrowRight') return () => skip(SKIP_SECONDS)
  if (key === ',') return () => jumpTrack(-1)
  if (key === '.') return () => jumpTrack(1)
  return null
}

const jumpTrack = (direction: 1 | -1) =>
  void import('./trackJumps.ts').then(({ jumpTrack }) => jumpTrack(direction)).catch(() => {})

export function listenForShortcuts() {
  document.addEventListener('keydown', (event) => {
    if (event.shiftKey || !canBeShortcut(event)) return
    const action = getAction(event.key)
    if (!action || (event.repeat && !event.key.startsWith('Arrow'))) return
    event.preventDefault()
    action()
  })
}
