import { getPlayer, initialPlayer, subscribePlayer } from '#src/player/store.ts'
import type { PlayerState } from '#src/player/types.ts'

/** Calls the listener now and after each change, with the current and the previous state. */
export function watchPlayer(listener: (state: PlayerState, previous: PlayerState) => void) {
  let current = initialPlayer
  function update() {
    const previous = current
    current = getPlayer()
    listener(current, previous)
  }
  subscribePlayer(update)
  update()
}
