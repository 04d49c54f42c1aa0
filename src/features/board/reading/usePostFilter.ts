import { useEffect, useState } from 'react'
import { readStored } from '#src/lib/storage.ts'
import { FILTERS_USED, type PostFilter, READER_FILTERS_KEY } from './postFilter.ts'

/** Loads the filters only for readers who have some. Returns undefined until then. */
export function usePostFilter(boardId: string | undefined): PostFilter | undefined {
  const [filter, setFilter] = useState<PostFilter>()
  useEffect(() => {
    let stop: (() => void) | null = null
    let isMounted = true
    async function load() {
      // Without the code, the page shows all posts.
      const loaded = await import('./HiddenPost.tsx').catch(() => null)
      if (isMounted && loaded && !stop) stop = loaded.watchFilters(boardId, (next) => setFilter(() => next))
    }
    window.addEventListener(FILTERS_USED, load)
    if (readStored(READER_FILTERS_KEY) !== null) void load()
    return () => {
      isMounted = false
      window.removeEventListener(FILTERS_USED, load)
      stop?.()
    }
  }, [boardId])
  return filter
}
