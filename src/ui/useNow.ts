import { useDeferredValue, useSyncExternalStore } from 'react'

const TICK_MS = 60_000

let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

function tick() {
  now = Date.now()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  if (listeners.size === 0) {
    now = Date.now()
    timer = setInterval(tick, TICK_MS)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) clearInterval(timer)
  }
}

/**
 * Returns the time in ms, updated every minute. Null on the server and during hydration, whose HTML must match.
 * Deferred, so that the page stays responsive while the hundreds of times of a long thread change.
 */
export function useNow(): number | null {
  const current = useSyncExternalStore<number | null>(
    subscribe,
    () => now,
    () => null,
  )
  return useDeferredValue(current)
}
