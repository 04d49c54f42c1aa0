import type { FastifyRequest } from 'fastify'
import type { RenderedPage } from '#server/core/cache/cachedPage.ts'
import { createContext, type Services } from '#server/core/context.ts'
import { publicError } from '#server/core/errors.ts'
import { LANGUAGE_HEADER, languageHeaders } from '#server/core/http/language.ts'
import { isHumanView, isPageData } from '#server/core/http/visitors.ts'
import { translateDefaults } from '#server/features/site/translateDefaults.ts'
import { createCaller } from '#server/router.ts'
import type { Language } from '#src/contract/languages.ts'
import type { Site, SiteFacts } from '#src/contract/site.ts'
import { joinDocument, PAGE_PLACEHOLDER, POSTS_PLACEHOLDER } from './pageDocument.ts'

export type Vike = Pick<typeof import('vike/server'), 'renderPage'>

export type Renderer = {
  /** inline script of every page */
  earlyScriptUrl: string
  /** Loads the pages, too. Called when one is first rendered, because they take 20 MB and a third of the start. */
  loadVike: () => Promise<Vike>
}

/**
 * Renders a page with Vike. The page loads its data with direct tRPC calls, not over HTTP.
 * @param facts what pages show besides the site's settings; `pages/vike.d.ts` lists it
 */
export async function renderPage(
  services: Services,
  site: Site,
  language: Language,
  { earlyScriptUrl, loadVike }: Renderer,
  request: FastifyRequest,
  url: string,
  facts: object,
): Promise<RenderedPage> {
  const { about, accent: _accent, $schema: _, ...texts } = translateDefaults(site)
  const pages = (await services.siteContent()).pages.map(({ slug, title }) => ({ slug, title }))
  const shown: SiteFacts = { ...texts, pages }
  const { ip, headers, method, raw } = request
  // Omit the login token: the page must be the same for every visitor.
  const requester = { ip, headers: { 'user-agent': headers['user-agent'], [LANGUAGE_HEADER]: language }, raw }
  // Log errors here, because the page only shows a general text.
  const api = createCaller(createContext(services, requester, isHumanView(headers, method, url)), {
    onError: ({ error, path }) => {
      if (publicError(error).isServerFault) request.log.error({ err: error, path }, 'call of a page failed')
    },
  })
  const pageContext = await (await loadVike()).renderPage({
    urlOriginal: url,
    api,
    site: shown,
    about,
    siteUrl: services.config.siteUrl,
    htmlPlaceholder: PAGE_PLACEHOLDER,
    postsPlaceholder: POSTS_PLACEHOLDER,
    ...facts,
  })
  const { errorWhileRendering, httpResponse, data, pageHtml, postsHtml, boundaryErrors, pageId } =
    pageContext as typeof pageContext & {
      data?: unknown
      pageHtml?: string
      postsHtml?: Uint8Array[]
      boundaryErrors?: unknown[]
      pageId?: string | null
    }
  if (errorWhileRendering && httpResponse.statusCode === 500) {
    request.log.error({ err: errorWhileRendering, page: pageId }, 'page failed')
  }
  for (const err of boundaryErrors ?? []) request.log.error({ err, page: pageId }, 'part of a page failed')
  const shared = languageHeaders(site, language)
  const outcome = outcomeOf(httpResponse.statusCode, errorWhileRendering, data)
  return {
    outcome,
    sharedHeaders: shared,
    // Send 503 if the page only shows that its data could not be loaded.
    status: httpResponse.statusCode === 200 && isObject(data) && 'error' in data ? 503 : httpResponse.statusCode,
    headers: { ...headersOf(httpResponse.headers), ...shared, ...(isPageData(url) && { 'x-robots-tag': 'noindex' }) },
    body:
      pageHtml === undefined
        ? Buffer.from(httpResponse.body)
        : joinDocument(httpResponse.body, { pageHtml, postsHtml }, earlyScriptUrl, language),
  }
}

const headersOf = (headers: [string, string][]) =>
  Object.fromEntries(
    headers.map(([name, value]) => [name.toLowerCase(), value]).filter(([name]) => name !== 'cache-control'),
  )

/** Checks `thrown`, because Vike sends page data with status 200 even for a 404. */
function outcomeOf(status: number, thrown: unknown, data: unknown): RenderedPage['outcome'] {
  if (status >= 500 || (isObject(data) && ('error' in data || data.isIncomplete === true))) return 'failed'
  return status === 200 && !thrown ? 'cacheable' : 'uncacheable'
}

const isObject = (data: unknown): data is Record<string, unknown> => typeof data === 'object' && data !== null
