import { getPageContextClient, prefetch } from 'vike/client/router'
import type { PageContextClient } from 'vike/types'
import type { SiteFacts } from '#src/contract/site.ts'
import { pageTransition } from '#src/lib/slowNavigation.ts'
import { followTranslators } from '#src/lib/translatedTexts.ts'
import { deferUntilOnline } from '#src/player/offlineNavigation.ts'
import { fallbackDataOf } from './pageData.ts'

export default async function prepare({ isHydration, site, formUrl }: PageContextClient): Promise<void> {
  if (!isHydration) return pageTransition.start?.()
  installDataFallback(site)
  keepScrollPosition()
  followTranslators()
  // In development, the router's own listeners are there.
  if (import.meta.env.PROD) prefetchLinks()
  // The form was sent before scripts loaded, so this is the URL of a call. It has no page to go back to.
  if (formUrl) history.replaceState(history.state, '', formUrl)
  // An update removes the old version's files. The router reloads the page only if a script is missing, so errors about
  // stylesheets are ignored: the import of the script fails next.
  window.addEventListener('vite:preloadError', (event) => {
    if (event.payload.message.includes('CSS')) event.preventDefault()
  })
  // Lets the browser handle input between the start of the modules and the hydration.
  await new Promise((resolve) => setTimeout(resolve))
}

/**
 * Restores the scroll position of a page that comes from the back/forward cache. The router turns the browser's own
 * restoration off, so WebKit shows such a page from its top.
 */
function keepScrollPosition(): void {
  let position = { left: 0, top: 0 }
  window.addEventListener('pagehide', () => {
    position = { left: scrollX, top: scrollY }
  })
  window.addEventListener('pageshow', ({ persisted }) => persisted && scrollTo(position))
}

/**
 * Loads the code of a page when the visitor points at a link to it. Replaces the router's own two listeners and
 * observer of each link, which the build removes: in a thread of 300 posts, they kept a phone busy for 0.2 s.
 */
function prefetchLinks(): void {
  for (const type of ['mouseover', 'touchstart'] as const)
    document.addEventListener(type, prefetchLink, { passive: true })
}

function prefetchLink({ target }: Event): void {
  // After a failed prefetch, the router would load whole pages, which stops the music.
  const link = navigator.onLine && target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
  if (link?.origin === location.origin && link.pathname !== location.pathname) void prefetch(link.pathname)
}

const DATA_URL = /\.pageContext\.json(\?|$)/

/**
 * Replaces failed responses for page data (a proxy's error page, a rejection, a network error) with the page's
 * fallback data. The router cannot handle such responses: it would show its error page and log a bug.
 * @param site facts that the server adds to every page's data
 */
function installDataFallback(site: SiteFacts): void {
  const { fetch } = window
  window.fetch = async (input, init) => {
    if (typeof input !== 'string' || !DATA_URL.test(input)) return fetch(input, init)
    // The page that the browser is navigating to.
    const { pageId, config, urlOriginal = '/' } = getPageContextClient() ?? {}
    const text = await fetch(input, init).then(readData, () => null)
    if (text === null && !navigator.onLine) return deferUntilOnline(urlOriginal)
    return new Response(text ?? JSON.stringify({ pageId, site, data: config && fallbackDataOf(config) }), {
      headers: { 'content-type': 'application/json' },
    })
  }
}

/** Returns the response's text if the router understands it (data or a redirect), otherwise null. */
async function readData(answer: Response): Promise<string | null> {
  const text = await answer.text()
  try {
    const { pageId, _abortCall } = JSON.parse(text)
    return pageId || _abortCall ? text : null
  } catch {
    return null
  }
}
