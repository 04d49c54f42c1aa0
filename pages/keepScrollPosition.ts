/**
 * Scrolls back in a page that comes from the back/forward cache. Before that, the router forbids the browser to do it:
 * WebKit then shows the page from its start.
 */
export function keepScrollPosition(): void {
  let position = { left: 0, top: 0 }
  window.addEventListener('pagehide', () => {
    position = { left: scrollX, top: scrollY }
  })
  window.addEventListener('pageshow', ({ persisted }) => persisted && scrollTo(position))
}
