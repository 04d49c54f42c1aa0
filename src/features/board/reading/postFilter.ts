import { useEffect, useState } from 'react'
import { followStored, readStored } from '#src/lib/storage.ts'

/** Local storage key of the posts and filters that hide posts in this browser. */
export const READER_FILTERS_KEY = 'dtpchan_filters'

/** Sent to the window when the reader hides a post or adds a filter. */
export const FILTERS_USED = 'filters-used'

/** Sent to the window to open the dialog of the filters. */
export const OPEN_FILTERS = 'open-filters'

/** Returns whether this browser may hide posts: the code of the filters loads only then. */
export function useIsFiltering(): boolean {
  const [isFiltering, setIsFiltering] = useState(false)
  useEffect(() => {
    const use = () => setIsFiltering(true)
    const read = () => readStored(READER_FILTERS_KEY) !== null && use()
    read()
    window.addEventListener(FILTERS_USED, use)
    const unfollow = followStored(READER_FILTERS_KEY, read)
    return () => {
      window.removeEventListener(FILTERS_USED, use)
      unfollow()
    }
  }, [])
  return isFiltering
}
