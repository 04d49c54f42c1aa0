import { useSyncExternalStore } from 'react'
import { followStored, readStored } from '#src/lib/storage.ts'

/** Local storage key of the threads that this browser follows, and of the replies to its posts. */
export const WATCHING_KEY = 'dtpchan_watching'

/** Fired on `window` when this tab changed what it watches. */
export const WATCHING_CHANGED = 'watching-changed'

function subscribe(listener: () => void) {
  window.addEventListener(WATCHING_CHANGED, listener)
  const unfollow = followStored(WATCHING_KEY, listener)
  return () => {
    window.removeEventListener(WATCHING_CHANGED, listener)
    unfollow()
  }
}

/** Returns whether this browser has watched a thread or posted. */
export const useIsWatching = () =>
  useSyncExternalStore(
    subscribe,
    () => readStored(WATCHING_KEY) !== null,
    () => false,
  )
