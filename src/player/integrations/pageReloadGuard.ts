import { endNavigation } from '#src/lib/navigation.ts'
import { getPlayer, setPlayer } from '#src/player/store.ts'

let isPartMissing = false
let wasUnreachable = false
let isAllowed = false

/**
 * Blocks full page loads while they would stop playback or fail. The router falls back to one when it cannot load a
 * page's code, after a deploy or while the site is unreachable.
 */
export function guardPageReloads() {
  window.addEventListener('vite:preloadError', () => {
    isPartMissing = true
  })
  window.navigation?.addEventListener('navigate', (event) => {
    const { destination, navigationType, downloadRequest } = event
    const stays = destination.sameDocument || navigationType === 'reload' || downloadRequest !== null
    const isOurs = new URL(destination.url).origin === location.origin
    if (!isPartMissing || isAllowed || stays || !isOurs || !event.cancelable) return
    event.preventDefault()
    void hold(destination.url)
  })
}

async function hold(url: string) {
  endNavigation()
  const isReachable = await fetch(url, { method: 'HEAD' }).then(
    ({ status }) => status < 500,
    () => false,
  )
  if (isReachable && getPlayer().status === 'paused') return open(url)
  wasUnreachable ||= !isReachable
  const loads = wasUnreachable ? 'reload' : 'newVersion'
  setPlayer({ blockedPage: { url, reason: isReachable ? loads : 'unreachable' } })
}

function open(url: string) {
  isAllowed = true
  location.assign(url)
}

/** Opens the blocked page if the site is reachable. */
export function openBlockedPage() {
  const { blockedPage } = getPlayer()
  if (!blockedPage) return
  if (blockedPage.reason === 'unreachable') void hold(blockedPage.url)
  else open(blockedPage.url)
}
