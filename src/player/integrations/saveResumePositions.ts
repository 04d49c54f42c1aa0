import { savePosition } from '#src/player/engine.ts'
import { getPlayer } from '#src/player/store.ts'

const EVERY_MS = 5000

/** Remembers where a recording is while it plays, for a browser that ends without saying so. */
export function saveResumePositions() {
  setInterval(() => getPlayer().status === 'playing' && savePosition(), EVERY_MS)
  window.addEventListener('pagehide', savePosition)
}
