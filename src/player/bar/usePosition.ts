import { useSyncExternalStore } from 'react'
import { recordingPosition } from '#src/player/engine.ts'
import { getPlayer, subscribePlayer } from '#src/player/store.ts'

const UPDATE_INTERVAL_MS = 250

/** in whole seconds; duration 0 when unknown */
type Position = { elapsed: number; duration: number }

const ZERO_POSITION: Position = { elapsed: 0, duration: 0 }
let position = ZERO_POSITION
let timer: ReturnType<typeof setInterval> | undefined
let unsubscribe = () => {}
const listeners = new Set<() => void>()

function readPosition(): Position {
  const { source, nowPlaying, nowPlayingAt } = getPlayer()
  if (source.kind === 'recording') {
    const { position, duration } = recordingPosition()
    return { elapsed: Math.floor(position), duration: Math.floor(duration) }
  }
  if (!nowPlaying?.online) return ZERO_POSITION
  const duration = Math.floor(nowPlaying.duration)
  const elapsed = Math.floor(nowPlaying.elapsed + (Date.now() - nowPlayingAt) / 1000)
  return { elapsed: Math.max(0, duration > 0 ? Math.min(elapsed, duration) : elapsed), duration }
}

function updatePosition() {
  const next = readPosition()
  if (next.elapsed === position.elapsed && next.duration === position.duration) return
  position = next
  for (const listener of [...listeners]) listener()
}

function subscribe(listener: () => void) {
  if (listeners.size === 0) {
    timer = setInterval(updatePosition, UPDATE_INTERVAL_MS)
    unsubscribe = subscribePlayer(updatePosition)
    position = readPosition()
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    unsubscribe()
  }
}

/** Updates every second. It is not in the player's state, because each change there re-renders the player. */
export function usePosition(): Position {
  return useSyncExternalStore(
    subscribe,
    () => position,
    () => ZERO_POSITION,
  )
}
