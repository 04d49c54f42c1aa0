import { useSyncExternalStore } from 'react'
import { recordingPosition } from '#src/player/engine.ts'
import { getPlayer, subscribePlayer } from '#src/player/store.ts'

const LOOK_MS = 250

/** in whole seconds; duration 0 when unknown */
export type Position = { at: number; duration: number }

const START: Position = { at: 0, duration: 0 }
let position = START
let timer: ReturnType<typeof setInterval> | undefined
let unsubscribe = () => {}
const listeners = new Set<() => void>()

/** Extrapolates a live song's position from the last answer. */
function read(): Position {
  const { source, nowPlaying, nowPlayingAt } = getPlayer()
  if (source.kind === 'recording') {
    const { at, duration } = recordingPosition()
    return { at: Math.floor(at), duration: Math.floor(duration) }
  }
  if (!nowPlaying?.online) return START
  const duration = Math.floor(nowPlaying.duration)
  const at = Math.floor(nowPlaying.elapsed + (Date.now() - nowPlayingAt) / 1000)
  return { at: Math.max(0, duration > 0 ? Math.min(at, duration) : at), duration }
}

function look() {
  const next = read()
  if (next.at === position.at && next.duration === position.duration) return
  position = next
  for (const listener of [...listeners]) listener()
}

function subscribe(listener: () => void) {
  if (listeners.size === 0) {
    timer = setInterval(look, LOOK_MS)
    unsubscribe = subscribePlayer(look)
    position = read()
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    unsubscribe()
  }
}

/** Updates every second; kept out of the player's state, which changes rarely. */
export function usePosition(): Position {
  return useSyncExternalStore(
    subscribe,
    () => position,
    () => START,
  )
}
