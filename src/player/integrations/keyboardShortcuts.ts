import { setVolume, toggleMuted } from '#src/player/audio/volume.ts'
import { skip, toggle } from '#src/player/engine.ts'
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
  return null
}

/** Elements that have the focus after a page load and after a navigation. */
export const NEUTRAL_ELEMENTS = 'body, main, h1'

/** @param neutralElements selector: shortcuts work only while a matching element has the focus */
export function canBeShortcut(event: KeyboardEvent, neutralElements = NEUTRAL_ELEMENTS): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !getPlayer().shortcuts) return false
  const isNeutral = document.activeElement?.matches(neutralElements) ?? true
  return isNeutral && !document.querySelector('dialog[open], [popover]:popover-open')
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
