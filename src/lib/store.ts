import { useSyncExternalStore } from 'react'

/** Creates state outside components. On the server and during hydration, `useValue` returns `initial`. */
export function createStore<T>(initial: T, value = initial) {
  const listeners = new Set<() => void>()

  const get = () => value
  function set(next: T) {
    value = next
    for (const listener of [...listeners]) listener()
  }
  function subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const useValue = () => useSyncExternalStore(subscribe, get, () => initial)

  return { get, set, subscribe, useValue }
}
