import { getPageContextClient } from 'vike/client/router'
import type { SiteFacts } from '#src/contract/site.ts'
import { deferUntilOnline } from '#src/player/offlineNavigation.ts'

const DATA_URL = /\.pageContext\.json(\?|$)/

/**
 * Replaces answers that are no page data with the page's `fallbackData`: a proxy's error page, a refusal, or no answer
 * at all. The router has no hook for them, shows its error page, and logs a bug of its own.
 * @param site what the server adds to the data of every page
 */
export function replaceFailedData(site: SiteFacts): void {
  const { fetch } = window
  window.fetch = async (input, init) => {
    if (typeof input !== 'string' || !DATA_URL.test(input)) return fetch(input, init)
    // the page that this navigation leads to
    const { pageId, config, urlOriginal = '/' } = getPageContextClient() ?? {}
    const text = await fetch(input, init).then(readData, () => null)
    if (text === null && !navigator.onLine) return deferUntilOnline(urlOriginal)
    return new Response(text ?? JSON.stringify({ pageId, site, data: config?.fallbackData }), {
      headers: { 'content-type': 'application/json' },
    })
  }
}

/** Reads an answer that the router understands: data, or where else to go; null for all others. */
async function readData(answer: Response): Promise<string | null> {
  const text = await answer.text()
  try {
    const { pageId, _abortCall } = JSON.parse(text)
    return pageId || _abortCall ? text : null
  } catch {
    return null
  }
}
