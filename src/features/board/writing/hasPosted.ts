import { useEffect } from 'react'
import { OWN_POSTS_KEY } from '#src/contract/post.ts'
import { readStored } from '#src/lib/storage.ts'
import { createStore } from '#src/lib/store.ts'

/** Whether this browser has posted. Pages then load what only authors need. */
export const hasPosted = createStore(false)

/** @returns false during hydration */
export function useHasPosted(): boolean {
  useEffect(() => {
    if (readStored(OWN_POSTS_KEY) !== null) hasPosted.set(true)
  }, [])
  return hasPosted.useValue()
}
