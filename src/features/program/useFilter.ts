import { useEffect, useState } from 'react'
import { type Filter, queryOf } from './filter.ts'

/** Safari refuses more than a hundred changes of the address in half a minute. */
const WRITE_MS = 250

/** The filter of the page's address, changed without a request; the address follows. */
export function useFilter(given: Filter) {
  const [shown, setShown] = useState({ given, filter: given })

  // Another address of this page was opened.
  const current = shown.given === given ? shown : { given, filter: given }
  if (current !== shown) setShown(current)
  const { filter } = current

  useEffect(() => {
    if (filter === given) return
    const timer = setTimeout(() => {
      history.replaceState(history.state, '', `${location.pathname}${queryOf(filter)}`)
    }, WRITE_MS)
    return () => clearTimeout(timer)
  }, [filter, given])

  const change = (patch: Partial<Filter>) =>
    setShown((before) => ({ given: before.given, filter: { ...before.filter, ...patch } }))

  return { filter, change }
}
