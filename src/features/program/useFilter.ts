import { useEffect, useState } from 'react'
import { type Filter, formatFilterQuery } from './filter.ts'

/** Delays URL updates, because Safari refuses more than 100 replaceState calls in 30 seconds. */
const URL_UPDATE_DELAY_MS = 250

export function useFilter(initialFilter: Filter) {
  const [state, setState] = useState({ initialFilter, filter: initialFilter })

  // Resets the filter when the visitor navigates to another URL of this page.
  const current = state.initialFilter === initialFilter ? state : { initialFilter, filter: initialFilter }
  if (current !== state) setState(current)
  const { filter } = current

  useEffect(() => {
    if (filter === initialFilter) return
    const timer = setTimeout(() => {
      history.replaceState(history.state, '', `${location.pathname}${formatFilterQuery(filter)}`)
    }, URL_UPDATE_DELAY_MS)
    return () => clearTimeout(timer)
  }, [filter, initialFilter])

  const change = (patch: Partial<Filter>) =>
    setState((before) => ({ initialFilter: before.initialFilter, filter: { ...before.filter, ...patch } }))

  return { filter, change }
}
