import { deferUntilOnline } from '#src/player/offlineNavigation.ts'

/**
 * Follows no link while the browser is offline: the router would fail to load the page's code, leave the site for the
 * browser's error page, and stop the music.
 */
export function guardOfflineLinks(): void {
  // below React's own listener, so that a component may handle a click, and above the router's on the document
  document.body.addEventListener('click', (event) => {
    const link = linkOf(event)
    if (navigator.onLine || event.defaultPrevented || !link || !opensHere(event, link)) return
    event.preventDefault()
    event.stopPropagation()
    void deferUntilOnline(link.href)
  })
  // The router prefetches a page's code for a link under the pointer, and stops to route when that fails.
  for (const type of ['mouseover', 'touchstart']) {
    window.addEventListener(
      type,
      (event) => {
        if (!navigator.onLine && linkOf(event)) event.stopPropagation()
      },
      { capture: true, passive: true },
    )
  }
}

const linkOf = ({ target }: Event) => (target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null)

/** Whether a click replaces the page: with a key held down, or to a place on the page, it does not. */
function opensHere({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent, link: HTMLAnchorElement): boolean {
  const isPlace = link.hash !== '' && link.pathname === location.pathname && link.search === location.search
  const isPlain = button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey
  return isPlain && !isPlace && !link.target && !link.download && /^https?:$/.test(link.protocol)
}
