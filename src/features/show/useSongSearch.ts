import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type FoundTrack, songRequestsPath } from '#src/contract/songRequest.ts'
import { t } from '#src/i18n/t.ts'
import { errorText, trpc } from '#src/lib/trpc.ts'

/** Limits the requests to the server while the visitor types. */
const SEARCH_DELAY_MS = 250

/** Searches while the visitor types. */
export function useSongSearch(initialQuery: string, initialTracks: FoundTrack[]) {
  const [query, setQuery] = useState(initialQuery)
  const [tracks, setTracks] = useState(initialTracks)
  const [failure, setFailure] = useState<string | null>(null)
  const searched = useRef(initialQuery)
  const lastSearch = useRef(0)

  async function search() {
    const id = ++lastSearch.current
    const [found, failure] = await trpc()
      .then((calls) => calls.songRequest.tracks.query({ q: query }))
      .then(
        (found) => [found, null] as const,
        (error) => [null, errorText(error, t('show.searchFailed'))] as const,
      )
    // Answers can arrive in another order.
    if (id !== lastSearch.current) return
    if (found) setTracks(found)
    setFailure(failure)
  }

  const searchSoon = useEffectEvent(() => {
    searched.current = query
    history.replaceState(history.state, '', songRequestsPath(query.trim()))
    void search()
  })
  useEffect(() => {
    if (query === searched.current) return
    const timer = setTimeout(() => searchSoon(), SEARCH_DELAY_MS)
    return () => clearTimeout(timer)
  }, [query])

  return { query, setQuery, tracks, failure, searchAgain: search }
}
