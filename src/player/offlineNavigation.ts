import { navigate } from 'vike/client/router'
import { endNavigation } from '#src/lib/slowNavigation.ts'
import { getPlayer, setPlayer } from './store.ts'

/** Opens the page when the browser is online again. The promise never settles, so the current navigation stops. */
export function deferUntilOnline(url: string): Promise<never> {
  endNavigation()
  setPlayer({ blockedPage: { url, reason: 'offline' } })
  window.addEventListener('online', openDeferredPage)
  return new Promise(() => {})
}

export function openDeferredPage() {
  const { blockedPage } = getPlayer()
  if (blockedPage?.reason !== 'offline') return
  setPlayer({ blockedPage: null })
  const { origin, pathname, search, hash } = new URL(blockedPage.url, location.href)
  // A browser that wrongly reports to be offline would defer the navigation again.
  if (origin === location.origin && navigator.onLine) void navigate(pathname + search + hash)
  else location.assign(blockedPage.url)
}
