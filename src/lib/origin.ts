import { useSyncExternalStore } from 'react'

const subscribe = () => () => {}

/** The origin the reader has come to, for a site can be reached under several; `siteUrl` in the first render. */
export const useOrigin = (siteUrl: string): string =>
  useSyncExternalStore(
    subscribe,
    () => location.origin,
    () => siteUrl,
  )

/** The same address at the origin the reader has come to. */
export function here(url: string): string {
  const { pathname, search } = new URL(url)
  return `${location.origin}${pathname}${search}`
}
