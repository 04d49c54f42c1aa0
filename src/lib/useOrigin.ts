import { useSyncExternalStore } from 'react'

const subscribe = () => () => {}

/** Returns the origin in the visitor's address bar, because a site can have several; `siteUrl` in the first render. */
export const useOrigin = (siteUrl: string): string =>
  useSyncExternalStore(
    subscribe,
    () => location.origin,
    () => siteUrl,
  )

/** Moves a URL to the origin in the visitor's address bar. */
export function here(url: string): string {
  const { pathname, search } = new URL(url)
  return `${location.origin}${pathname}${search}`
}
