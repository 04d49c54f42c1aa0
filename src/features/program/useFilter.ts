import { useEffect, useState } from 'react'
import { type Filter, queryOf } from './filter.ts'

/** Safari refuses more than 100 calls of replaceState in 30 seconds. */
const WRITE_MS = 250

/** The filter, kept in step with the page's URL without a request. */
export function useFilter(given: Filter) {
  const [shown, setShown] = useState({ given, filter: given })

  // A navigation opened another URL of this page.
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
