import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { renderPage } from 'vike/server'
import type { RenderedPage } from '#server/core/cache/cachedPage.ts'
import { findCacheablePage, unknownPageUrl } from '#server/core/cache/pageKeys.ts'
import { sendCacheablePage } from '#server/core/cache/sendPage.ts'
import { createContext, type Services } from '#server/core/context.ts'
import { publicError } from '#server/core/errors.ts'
import { hashVisitor, isHumanView } from '#server/core/http/visitors.ts'
import { COST } from '#server/core/limits/requestCost.ts'
import { isDevServerUrl } from '#server/plugins/protection/malformedRequests.ts'
import { createCaller } from '#server/router.ts'
import type { Site } from '#src/contract/site.ts'
import { sendPageError } from './errorPage.ts'
import { mayBeMissing, missingPageKey } from './missingPages.ts'

/** Stands for a page's own HTML in what is around it; nobody who writes something that is shown can know it. */
const PAGE_PLACE = `<!--${randomUUID()}-->`

/** Everything that is no call and no file is a page; registered last. */
export function registerPages(app: FastifyInstance, services: Services, site: Site): void {
  const unknownPages = new Map<string, Promise<RenderedPage>>()

  app.get('/*', { errorHandler: sendPageError }, async (request, reply) => {
    if (isDevServerUrl(request.url)) return reply.callNotFound()
    const unknown = services.config.pageCache ? unknownPageUrl(request.url) : null
    if (unknown) return send(reply, await renderUnknown(request, unknown, unknown))
    const cacheable = services.config.pageCache ? findCacheablePage(request.url) : null
    if (!cacheable || !services.cache.has(cacheable)) {
      const missing = services.config.pageCache ? await findMissing(request) : null
      if (missing) return send(reply, await renderUnknown(request, missing, request.url))
      services.costs.charge(request, COST.render)
    }
    if (!cacheable) return send(reply, await render(services, site, request, request.url))
    const visitorHash = () => hashVisitor(request, services.secrets.visitors, services.now())
    const page = await services.cache.read(cacheable, visitorHash, () => render(services, site, request, cacheable.url))
    return page.outcome === 'cacheable' ? sendCacheablePage(request, reply, page) : send(reply, page)
  })

  // Logging in needs script: a form that a password manager submits without it leads back to the form. The body, which
  // has the password, is not read.
  const toForm = async (_request: FastifyRequest, reply: FastifyReply) => reply.redirect('/login', 303)
  app.post('/login', { onRequest: toForm }, toForm)

  async function findMissing(request: FastifyRequest): Promise<string | null> {
    if (!mayBeMissing(request.url)) return null
    services.costs.charge(request, COST.call)
    return missingPageKey(createContext(services, request), request.url)
  }

  /**
   * Guards the processor: there is no end of URLs that lead nowhere, and each would be a rendering.
   * @param key of all URLs whose answer is the same
   */
  function renderUnknown(request: FastifyRequest, key: string, url: string): Promise<RenderedPage> {
    const kept = unknownPages.get(key)
    if (kept) return kept
    const rendering = render(services, site, request, url)
    unknownPages.set(key, rendering)
    const forget = () => unknownPages.delete(key)
    // Data of a page are a 200 whatever they say; what was looked up may have been made meanwhile.
    const isKept = ({ outcome, status }: RenderedPage) => outcome !== 'failed' && (status === 404 || key === url)
    rendering.then((rendered) => !isKept(rendered) && forget(), forget)
    return rendering
  }
}

/** Renders a page here, its data coming through a caller, without HTTP to ourselves. */
async function render(services: Services, settings: Site, request: FastifyRequest, url: string): Promise<RenderedPage> {
  const { about, ...site } = settings
  const { ip, headers, method, raw } = request
  // Nobody is logged in here: the page is the same for everybody, and who you are shows in the browser only.
  const asker = { ip, headers: { 'user-agent': headers['user-agent'] }, raw }
  // A page turns what its data threw into a text of its own: the fault itself is noted here.
  const api = createCaller(createContext(services, asker, isHumanView(headers, method, url)), {
    onError: ({ error, path }) => {
      if (publicError(error).fault) request.log.error({ err: error, path }, 'call of a page failed')
    },
  })
  const pageContext = await renderPage({
    urlOriginal: url,
    api,
    site,
    about,
    siteUrl: services.config.siteUrl,
    pagePlace: PAGE_PLACE,
  })
  const { errorWhileRendering, httpResponse, data, pageHtml } = pageContext as typeof pageContext & {
    data?: unknown
    pageHtml?: string
  }
  if (errorWhileRendering && httpResponse.statusCode === 500) {
    request.log.error({ err: errorWhileRendering }, 'page failed')
  }
  const outcome = outcomeOf(httpResponse.statusCode, errorWhileRendering, data)
  return {
    outcome,
    // A page that says itself that its data could not be read is no success.
    status: httpResponse.statusCode === 200 && isObject(data) && 'error' in data ? 503 : httpResponse.statusCode,
    headers: { ...headersOf(httpResponse.headers), ...(isData(url) && NOT_IN_AN_INDEX) },
    body: whole(httpResponse.body, pageHtml),
  }
}

/** @throws Error when a page has no place in what is around it, or several */
function whole(frame: string, pageHtml: string | undefined): Buffer {
  if (pageHtml === undefined) return Buffer.from(frame)
  const [before = '', after, ...more] = frame.split(PAGE_PLACE)
  if (after === undefined || more.length > 0) throw new Error('a page has one place in its frame')
  return Buffer.concat([before, pageHtml, after].map((part) => Buffer.from(part)))
}

/** Data of pages is for pages: in an index it would stand beside them. */
const NOT_IN_AN_INDEX = { 'x-robots-tag': 'noindex' }
const isData = (url: string) => url.split('?')[0]?.endsWith('.pageContext.json') ?? false

/** How long an answer is kept is decided here, not by the renderer. */
const headersOf = (headers: [string, string][]) =>
  Object.fromEntries(
    headers.map(([name, value]) => [name.toLowerCase(), value]).filter(([name]) => name !== 'cache-control'),
  )

/** Of what a browser asks for data only, each answer is a 200, also that there is no such page. */
function outcomeOf(status: number, thrown: unknown, data: unknown): RenderedPage['outcome'] {
  if (status >= 500 || (isObject(data) && ('error' in data || data.lacks === true))) return 'failed'
  return status === 200 && !thrown ? 'cacheable' : 'uncacheable'
}

const isObject = (data: unknown): data is Record<string, unknown> => typeof data === 'object' && data !== null

/** A page of this moment; one that failed may be tried again soon. */
function send(reply: FastifyReply, { outcome, status, headers, body }: RenderedPage) {
  reply.headers(headers)
  if (outcome === 'failed') reply.headers({ 'cache-control': 'no-store', 'retry-after': 5 })
  else reply.header('cache-control', 'no-cache')
  return reply.code(status).send(body)
}
