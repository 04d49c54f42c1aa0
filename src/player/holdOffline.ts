import { navigate } from 'vike/client/router'
import { endNavigation } from '#src/lib/navigation.ts'
import { getPlayer, setPlayer } from './store.ts'

/**
 * Keeps the shown page while the browser is offline, and opens another when the network is back.
 * @returns a promise that never settles: a navigation that waits for it ends there, and a new one takes its place
 */
export function holdOffline(url: string): Promise<never> {
  endNavigation()
  setPlayer({ held: { url, reason: 'offline' } })
  window.addEventListener('online', openHeld)
  return new Promise(() => {})
}

function openHeld() {
  const { held } = getPlayer()
  if (held?.reason !== 'offline') return
  setPlayer({ held: null })
  const { origin, pathname, search, hash } = new URL(held.url, location.href)
  if (origin === location.origin) void navigate(pathname + search + hash)
  else location.assign(held.url)
}
