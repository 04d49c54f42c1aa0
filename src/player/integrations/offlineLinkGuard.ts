import { deferUntilOnline } from '#src/player/offlineNavigation.ts'

/** Offline, the router would fall back to a page load, which shows the browser's error page and stops the music. */
export function guardOfflineLinks(): void {
  // On the body: after React's listeners, which may handle the click, and before the router's on the document.
  document.body.addEventListener('click', (event) => {
    const link = findLink(event)
    if (navigator.onLine || event.defaultPrevented || !link || !replacesPage(event, link)) return
    event.preventDefault()
    event.stopPropagation()
    void deferUntilOnline(link.href)
  })
  // The router prefetches code on hover and stops routing after a failure.
  for (const type of ['mouseover', 'touchstart']) {
    window.addEventListener(
      type,
      (event) => {
        if (!navigator.onLine && findLink(event)) event.stopPropagation()
      },
      { capture: true, passive: true },
    )
  }
}

const findLink = ({ target }: Event) =>
  target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null

function replacesPage({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent, link: HTMLAnchorElement): boolean {
  const isAnchor = link.hash !== '' && link.pathname === location.pathname && link.search === location.search
  const isPlain = button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey
  return isPlain && !isAnchor && !link.target && !link.download && /^https?:$/.test(link.protocol)
}
