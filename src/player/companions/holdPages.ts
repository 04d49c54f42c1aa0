import { getPlayer, setPlayer } from '../store.ts'

let isOutdated = false
let isAllowed = false

/**
 * After a new version of the site was put up, the parts of a page can be missing: it then opens only by loading the
 * site anew, which would end the sound unasked. While something plays, such a page is held and offered instead.
 */
export function holdPages() {
  window.addEventListener('vite:preloadError', () => {
    isOutdated = true
  })
  window.navigation?.addEventListener('navigate', (event) => {
    const stays = event.destination.sameDocument || event.navigationType === 'reload' || event.downloadRequest !== null
    if (!isOutdated || isAllowed || stays || !event.cancelable || getPlayer().status === 'paused') return
    event.preventDefault()
    setPlayer({ heldUrl: event.destination.url })
  })
}

/** Opens the page that was held. */
export function openHeld() {
  const { heldUrl } = getPlayer()
  isAllowed = true
  if (heldUrl !== null) location.assign(heldUrl)
}
