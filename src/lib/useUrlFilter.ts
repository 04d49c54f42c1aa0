import { useEffect, useState } from 'react'

/** Delays URL updates, because Safari refuses more than 100 replaceState calls in 30 seconds. */
const URL_UPDATE_DELAY_MS = 250

/**
 * Keeps the filter of a page in its URL.
 * @param formatUrl returns the URL of the filtered page
 */
export function useUrlFilter<Filter extends object>(initialFilter: Filter, formatUrl: (filter: Filter) => string) {
  const [state, setState] = useState({ initialFilter, filter: initialFilter })

  // Resets the filter when the visitor navigates to another URL of this page.
  const current = state.initialFilter === initialFilter ? state : { initialFilter, filter: initialFilter }
  if (current !== state) setState(current)
  const { filter } = current

  // biome-ignore lint/correctness/useExhaustiveDependencies: the URL depends only on the filter
  useEffect(() => {
    if (filter === initialFilter) return
    const { href } = location
    const timer = setTimeout(() => {
      // The URL of a navigation changes before its page is rendered.
      if (location.href === href) history.replaceState(history.state, '', formatUrl(filter))
    }, URL_UPDATE_DELAY_MS)
    return () => clearTimeout(timer)
  }, [filter, initialFilter])

  const change = (patch: Partial<Filter>) =>
    setState((before) => ({ initialFilter: before.initialFilter, filter: { ...before.filter, ...patch } }))

  return { filter, change }
}
