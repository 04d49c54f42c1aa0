import { useEffect, useRef, useState } from 'react'
import { type Filter, queryOf } from './filter.ts'

/** Safari refuses more than a hundred changes of the address in half a minute. */
const WRITE_MS = 250

/** The filter of the page's address, changed without a request; the address follows. */
export function useFilter(given: Filter) {
  const [shown, setShown] = useState({ given, filter: given })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  // Another address of this page was opened.
  const current = shown.given === given ? shown : { given, filter: given }
  if (current !== shown) setShown(current)

  function change(patch: Partial<Filter>) {
    const filter = { ...current.filter, ...patch }
    setShown({ given, filter })
    const page = location.pathname
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      if (location.pathname === page) history.replaceState(history.state, '', `${page}${queryOf(filter)}`)
    }, WRITE_MS)
  }

  return { filter: current.filter, change }
}
