import { savePosition } from '#src/player/engine.ts'
import { getPlayer } from '#src/player/store.ts'

const INTERVAL_MS = 5000

/** Saves the position regularly, as a browser may end without an event. */
export function saveResumePositions() {
  setInterval(() => getPlayer().status === 'playing' && savePosition(), INTERVAL_MS)
  window.addEventListener('pagehide', savePosition)
}
