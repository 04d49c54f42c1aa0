import type { BrowserContextOptions, CDPSession, Page } from 'playwright'
import type { BrowserSite } from './browser.ts'

/**
 * Opens a page like Tor Browser at its level "Safest": no script, no web fonts, no SVG. Changes responses instead of
 * requests, because Playwright loses the files of a request that it changes.
 */
export async function visitStrictly(site: BrowserSite, path: string, options?: BrowserContextOptions): Promise<Page> {
  const page = await site.visit('/robots.txt', { ...options, javaScriptEnabled: false })
  const session = await page.context().newCDPSession(page)
  session.on('Fetch.requestPaused', (paused) => {
    // Fails if the page cancelled the request meanwhile.
    filterResponse(session, paused).catch(() => undefined)
  })
  await session.send('Fetch.enable', {
    patterns: [
      { urlPattern: '*', resourceType: 'Document', requestStage: 'Response' },
      { urlPattern: '*', resourceType: 'Font' },
      { urlPattern: '*.svg*' },
    ],
  })
  await page.goto(path, { waitUntil: 'commit' })
  return page
}

/** The fields of `Fetch.requestPaused` that are used. */
type Paused = {
  requestId: string
  resourceType: string
  responseStatusCode?: number
  responseHeaders?: { name: string; value: string }[]
}

async function filterResponse(
  session: CDPSession,
  { requestId, responseStatusCode, responseHeaders = [], resourceType }: Paused,
): Promise<unknown> {
  if (resourceType === 'Font' || responseStatusCode === undefined) {
    return session.send('Fetch.failRequest', { requestId, errorReason: 'Failed' })
  }
  const type = responseHeaders.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? ''
  if (!type.startsWith('text/html')) return session.send('Fetch.continueResponse', { requestId })
  const { body, base64Encoded } = await session.send('Fetch.getResponseBody', { requestId })
  const html = Buffer.from(body, base64Encoded ? 'base64' : 'utf8').toString()
  return session.send('Fetch.fulfillRequest', {
    requestId,
    responseCode: responseStatusCode,
    responseHeaders: responseHeaders.filter(({ name }) => !/^content-(encoding|length)$/i.test(name)),
    body: Buffer.from(html.replace(/<svg[\s\S]*?<\/svg>/g, '')).toString('base64'),
  })
}
