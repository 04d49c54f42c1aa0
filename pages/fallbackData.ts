import { getPageContextClient } from 'vike/client/router'
import type { SiteFacts } from '#src/contract/site.ts'
import { deferUntilOnline } from '#src/player/offlineNavigation.ts'
import { fallbackDataOf } from './pageData.ts'

const DATA_URL = /\.pageContext\.json(\?|$)/

/**
 * Replaces failed responses for page data (a proxy's error page, a rejection, a network error) with the page's
 * fallback data. The router cannot handle such responses: it would show its error page and log a bug.
 * @param site facts that the server adds to every page's data
 */
export function installDataFallback(site: SiteFacts): void {
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
