import { deferUntilOnline } from '#src/player/offlineNavigation.ts'

/** Blocks links while offline. Otherwise a click would load the browser's error page, which stops the music. */
export function guardOfflineLinks(): void {
  // Listens on the body, to run after React's listeners and before the router's listener on the document.
  document.body.addEventListener('click', (event) => {
    const link = findLink(event)
    if (navigator.onLine || event.defaultPrevented || !link || !replacesPage(event, link)) return
    event.preventDefault()
    event.stopPropagation()
    void deferUntilOnline(link.href)
  })
  // Prevents prefetching. After a failed prefetch, the router would load whole pages, which stops the music.
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
