import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { RenderedPage } from '#server/core/cache/cachedPage.ts'
import { createContext, type Services } from '#server/core/context.ts'
import { publicError } from '#server/core/errors.ts'
import { LANGUAGE_HEADER, languageHeaders } from '#server/core/http/language.ts'
import { isHumanView, isPageData } from '#server/core/http/visitors.ts'
import { translateDefaults } from '#server/features/site/translateDefaults.ts'
import { createCaller } from '#server/router.ts'
import { SCRIPTED_TAG } from '#src/contract/forms.ts'
import { DEFAULT_LANGUAGE, type Language } from '#src/contract/languages.ts'
import type { Site, SiteFacts } from '#src/contract/site.ts'

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

/**
 * `pages/+onAfterRenderHtml.ts` puts this placeholder where the page's HTML belongs. No post can contain a random id.
 */
const PAGE_PLACEHOLDER = `<!--${randomUUID()}-->`
/** A page with many posts puts it where their HTML belongs. */
const POSTS_PLACEHOLDER = `<!--${randomUUID()}-->`

/** `pages/early.js` loads the fonts of a first visit after the first paint. Later visits have them in their cache. */
const FONT_PRELOADS = /\s*<link rel="preload"[^>]* as="font"[^>]*>/g

/**
 * Joins Vike's document, the page's HTML and `pages/early.js`. That script is after the stylesheets, so browsers wait for
 * them before they parse the body. Otherwise, Chromium 156 lays out a body with form fields without styles first.
 * @throws Error unless the document has exactly one placeholder
 */
function joinDocument(
  document: string,
  { pageHtml, postsHtml = [] }: { pageHtml: string; postsHtml?: Uint8Array[] | undefined },
  earlyScriptUrl: string,
  language: Language,
): Buffer {
  const [before = '', after, ...more] = document.split(PAGE_PLACEHOLDER)
  if (after === undefined || more.length > 0)
    throw new Error('The document must contain exactly one placeholder for the page')
  const head = before
    .replace('</head>', () => `<script src="${earlyScriptUrl}"></script></head>`)
    .replaceAll(FONT_PRELOADS, '')
  // The error page of a page that failed has no place for its posts.
  const [top = '', bottom] = withScriptedParts(pageHtml).split(POSTS_PLACEHOLDER)
  return Buffer.concat([
    Buffer.from(`${head}${top}`),
    ...(bottom === undefined ? [] : postsHtml),
    Buffer.from(`${bottom ?? ''}${scriptsIn(language, deferModules(after))}`),
  ])
}

/** Browsers do not show or run data. `pages/early.js` replaces it by its content. */
const withScriptedParts = (html: string) =>
  html
    .replaceAll(`<${SCRIPTED_TAG}>`, `<script type="text/html" data-scripted>`)
    .replaceAll(`</${SCRIPTED_TAG}>`, `</${SCRIPTED_TAG}></script>`)

/**
 * Lets `pages/early.js` load the modules after the first paint: the page can be read without them, so they must not
 * delay styles and fonts.
 */
const deferModules = (html: string) =>
  html
    .replaceAll('<link rel="modulepreload"', '<link data-rel="modulepreload" fetchpriority="low"')
    .replace(/<script src=("[^"]+" type="module" async>)/, '<script data-src=$1')

/** The build writes the scripts of other languages to folders of their own (`build/texts.ts`). */
const scriptsIn = (language: Language, html: string) =>
  language === DEFAULT_LANGUAGE ? html : html.replace(/"\/assets\/(?=[^"]+\.js")/g, `$&${language}/`)
