import { useSyncExternalStore } from 'react'
import { followStored, readStored, writeStored } from './storage.ts'
import { createStore } from './store.ts'

/** Keys of the entries that this page has written, also if storage is full or blocked. */
const written = new Set<string>()
const listeners = new Set<() => void>()

/**
 * Creates a store that lasts in this browser's storage, and follows what other tabs write.
 * @param parse reads the entry, which any script on this origin can write; gets null if it is missing
 * @param toEntry returns what to store; null removes the entry
 */
export function createStoredStore<T>(
  key: string,
  parse: (stored: unknown) => T,
  toEntry: (value: T) => unknown = (value) => value,
) {
  const read = () => parse(readStored(key))
  const { get, set, subscribe, useValue } = createStore(parse(null), read())
  if (typeof window !== 'undefined') followStored(key, () => set(read()))

  /** False if storage is full or blocked: the value then lasts until the page is closed. */
  let isWritten = true
  const load = () => (isWritten ? read() : get())

  /** Changes the value as it is stored now, because another tab may have changed it. */
  function change(update: (stored: T) => T): void {
    const stored = load()
    const next = update(stored)
    if (next === stored) return
    isWritten = writeStored(key, toEntry(next))
    written.add(key)
    set(next)
    for (const listener of [...listeners]) listener()
  }
  return { get, load, change, subscribe, useValue }
}

function subscribeToEntries(listener: () => void) {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}

/** Returns whether this browser has an entry: pages then load the code that needs it. False during hydration. */
export const useIsStored = (key: string): boolean =>
  useSyncExternalStore(
    subscribeToEntries,
    () => written.has(key) || readStored(key) !== null,
    () => false,
  )
