import { useEffect } from 'react'
import { OWN_POSTS_KEY } from '#src/contract/post.ts'
import { followStored, readStored } from '#src/lib/storage.ts'
import { createStore } from '#src/lib/store.ts'

/** Whether this browser has posted. Pages then load what only authors need. */
export const hasPosted = createStore(false)

/** @returns false during hydration */
export function useHasPosted(): boolean {
  useEffect(() => {
    const read = () => readStored(OWN_POSTS_KEY) !== null && hasPosted.set(true)
    read()
    return followStored(OWN_POSTS_KEY, read)
  }, [])
  return hasPosted.useValue()
}
