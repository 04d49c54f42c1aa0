import { prefetch } from 'vike/client/router'

/**
 * Loads the code of a page when the visitor points at a link to it. Replaces the router's own two listeners and
 * observer of each link, which the build removes: in a thread of 300 posts, they kept a phone busy for 0.2 s.
 */
export function prefetchLinks(): void {
  for (const type of ['mouseover', 'touchstart'] as const)
    document.addEventListener(type, prefetchLink, { passive: true })
}

function prefetchLink({ target }: Event): void {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
  if (link?.origin === location.origin && link.pathname !== location.pathname) void prefetch(link.pathname)
}
