import { useSyncExternalStore } from 'react'
import { recordingPosition } from '#src/player/engine.ts'
import { getPlayer, subscribePlayer } from '#src/player/store.ts'

const UPDATE_INTERVAL_MS = 250

/** In whole seconds. The duration is 0 if unknown. */
type Position = { elapsed: number; duration: number }

const ZERO_POSITION: Position = { elapsed: 0, duration: 0 }

function readPosition(): Position {
  const { recording, nowPlaying, nowPlayingAt } = getPlayer()
  if (recording) {
    const { position, duration } = recordingPosition()
    return { elapsed: Math.floor(position), duration: Math.floor(duration) }
  }
  if (!nowPlaying?.online) return ZERO_POSITION
  const duration = Math.floor(nowPlaying.duration)
  const elapsed = Math.floor(nowPlaying.elapsed + (Date.now() - nowPlayingAt) / 1000)
  return { elapsed: Math.max(0, duration > 0 ? Math.min(elapsed, duration) : elapsed), duration }
}

function subscribe(listener: () => void) {
  const timer = setInterval(listener, UPDATE_INTERVAL_MS)
  const unsubscribe = subscribePlayer(listener)
  return () => {
    clearInterval(timer)
    unsubscribe()
  }
}

let current = ZERO_POSITION

/** Returns the same object until the position changes. */
function getPosition(): Position {
  const { elapsed, duration } = readPosition()
  if (elapsed !== current.elapsed || duration !== current.duration) current = { elapsed, duration }
  return current
}

/** Updates every second. In the player's state, each update of the position would re-render the whole player. */
export const usePosition = (): Position => useSyncExternalStore(subscribe, getPosition, () => ZERO_POSITION)
