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

function openDeferredPage() {
  const { blockedPage } = getPlayer()
  if (blockedPage?.reason !== 'offline') return
  setPlayer({ blockedPage: null })
  const { origin, pathname, search, hash } = new URL(blockedPage.url, location.href)
  if (origin === location.origin) void navigate(pathname + search + hash)
  else location.assign(blockedPage.url)
}
