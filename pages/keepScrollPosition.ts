/**
 * Restores the scroll position of a page that comes from the back/forward cache. The router turns the browser's own
 * restoration off, so WebKit shows such a page from its top.
 */
export function keepScrollPosition(): void {
  let position = { left: 0, top: 0 }
  window.addEventListener('pagehide', () => {
    position = { left: scrollX, top: scrollY }
  })
  window.addEventListener('pageshow', ({ persisted }) => persisted && scrollTo(position))
}
