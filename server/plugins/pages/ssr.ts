import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  createPage,
  type Page,
  pageHeaders,
  type RenderedPage,
  sendCacheablePage,
} from '#server/core/cache/cachedPage.ts'
import { addWriteMarker, findCacheablePage, languageKey, sharedNotFoundUrl } from '#server/core/cache/pageKeys.ts'
import { createContext, type Services } from '#server/core/context.ts'
import { chooseEncoding } from '#server/core/http/contentEncoding.ts'
import { chooseLanguage, inLanguage } from '#server/core/http/language.ts'
import { hashVisitor } from '#server/core/http/visitors.ts'
import { COST } from '#server/core/limits/requestCost.ts'
import { createReference } from '#server/plugins/api/openapi/reference.ts'
import { startErrorReply } from '#server/plugins/api/rest.ts'
import { isDevServerUrl } from '#server/plugins/protection/malformedRequests.ts'
import { API_PATH } from '#src/contract/apiReference.ts'
import type { SubmittedForm } from '#src/contract/forms.ts'
import { UploadedFile } from '#src/contract/image.ts'
import type { Site } from '#src/contract/site.ts'
import { sendPageError } from './errorPage.ts'
import { findPageItem, mayBeMissing, type PageItem } from './missingPages.ts'
import { createNoticeReader, readBrand } from './pageFacts.ts'
import { type Renderer, renderPage, type Vike } from './renderPage.ts'

/** Routes of the operator's pages, and of pages that do not exist. */
const CATCH_ALL = new Set(['/@slug', '/*'])

/** Searches are large reads, and the cache does not keep them. */
const SEARCH = /^\/search(?:[/?]|$)/

type RenderOptions = { form?: SubmittedForm; thread?: PageItem['thread'] }

/** Serves pages for all URLs without their own route. Registered last. */
export function registerPages(app: FastifyInstance, services: Services, site: Site, renderer: Renderer): void {
  /** Cached 404 pages, by URL or by the key of a missing item, and the facts that they show. */
  const notFoundPages = new Map<string, Promise<Page>>()
  let shownFacts = ''
  const readNotice = createNoticeReader(services)
  const readApiReference = () => createReference(app.readApiDocument())
  const renderUrl = async (request: FastifyRequest, url: string, { form, thread }: RenderOptions = {}) => {
    const facts = {
      ...(await readBrand(services, site)),
      notice: await readNotice(),
      readApiReference,
      ...(form && { submittedForm: form, formUrl: url }),
    }
    const language = chooseLanguage(site, request.headers)
    return inLanguage(language, () =>
      renderPage({ ...services, pageThread: thread }, site, language, renderer, request, url, facts),
    )
  }

  const sendError = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    sendPageError(site, error, request, reply)
  app.get('/*', { errorHandler: sendError }, sendPage)
  // All other URLs below /api are calls.
  app.get(`${API_PATH}/index.pageContext.json`, { errorHandler: sendError }, sendPage)

  const listRoutes = async () => [
    ...(await pageRoutes(await renderer.loadVike())),
    ...(await services.siteContent()).pages.map(({ slug }) => `/${slug}`),
  ]

  async function sendPage(request: FastifyRequest, reply: FastifyReply) {
    if (isDevServerUrl(request.url)) return reply.callNotFound()
    const notFoundUrl = services.config.pageCache ? sharedNotFoundUrl(request.url, await listRoutes()) : null
    if (notFoundUrl) return send(request, reply, await renderNotFound(request, notFoundUrl, notFoundUrl))
    const found = services.config.pageCache ? findCacheablePage(request.url) : null
    const cacheable = found && { ...found, url: languageKey(chooseLanguage(site, request.headers), found.url) }
    const lastChange = () => cacheable && services.cache.lastChange(cacheable.tags)
    const foundAt = lastChange()
    let thread: PageItem['thread']
    if (!cacheable || cacheable.isAfterWrite || !services.cache.has(cacheable)) {
      const item = services.config.pageCache ? await findItem(request) : {}
      if (item.missing) return send(request, reply, await renderNotFound(request, item.missing, request.url))
      thread = item.thread
      services.costs.charge(request, COST.render + (SEARCH.test(request.url) ? COST.largeAnswer : 0))
    }
    if (!found || !cacheable) return send(request, reply, createPage(await renderUrl(request, request.url)))
    const visitorHash = () => hashVisitor(request, services.secrets.visitors, services.now())
    // The thread may have changed while the request waited for another render.
    const page = await services.cache.read(cacheable, visitorHash, () =>
      renderUrl(request, found.url, lastChange() === foundAt ? { thread } : {}),
    )
    if (page.outcome !== 'cacheable') return send(request, reply, page)
    return sendCacheablePage(request, reply, page, cacheable.isAfterWrite ? 'private, no-cache' : undefined)
  }

  app.formPages.sendError = sendError
  app.formPages.send = async (request, reply, page, run, fields) => {
    services.costs.charge(request, COST.render)
    let status = 200
    let refused: Pick<SubmittedForm, 'refusal' | 'code' | 'field' | 'appealToken'> = {
      ...{ refusal: null, code: null, field: null, appealToken: null },
    }
    let result: unknown = null
    try {
      result = await run()
      if (page.next) {
        const next = page.next(result as never, fields() as never)
        return reply.redirect(services.config.cdnMaxAge > 0 ? addWriteMarker(next, services.now()) : next, 303)
      }
    } catch (error) {
      const answer = startErrorReply(error, request, reply, chooseLanguage(site, request.headers))
      status = answer.status
      const { message, code, field, ban } = answer
      refused = { refusal: message, code, field, appealToken: ban?.appealToken ?? null }
    }
    const { image, ...others } = fields()
    const texts = Object.entries(others).flatMap(([name, value]) =>
      ['string', 'number', 'boolean'].includes(typeof value) ? [[name, String(value)]] : [],
    )
    const hasImage = image instanceof UploadedFile || Array.isArray(image)
    const url = typeof page.path === 'string' ? page.path : page.path(fields() as never)
    const form = { fields: Object.fromEntries(texts), hasImage, ...refused, result }
    const rendered = await renderUrl(request, url, { form })
    // The page can contain what the visitor typed, and links that are shown only once.
    const answer = createPage({ ...rendered, status: rendered.status === 200 ? status : rendered.status })
    return send(request, reply, answer, 'no-store')
  }

  // Logging in needs JavaScript. Redirect a native submit (for example by a password manager) to the form, without
  // reading the body.
  const toForm = async (_request: FastifyRequest, reply: FastifyReply) => reply.redirect('/login', 303)
  app.post('/login', { onRequest: toForm }, toForm)

  async function findItem(request: FastifyRequest): Promise<PageItem> {
    if (!mayBeMissing(request.url)) return {}
    services.costs.charge(request, COST.call)
    return findPageItem(createContext(services, request), request.url)
  }

  /** Renders the 404 page of `url` only once per `item`, to save CPU time. */
  async function renderNotFound(request: FastifyRequest, item: string, url: string): Promise<Page> {
    const facts = JSON.stringify(await Promise.all([readBrand(services, site), readNotice()]))
    if (facts !== shownFacts) notFoundPages.clear()
    shownFacts = facts
    const key = languageKey(chooseLanguage(site, request.headers), item)
    const cached = notFoundPages.get(key)
    if (cached) return cached
    const rendering = renderUrl(request, url).then((rendered) => createPage(rendered))
    notFoundPages.set(key, rendering)
    const remove = () => notFoundPages.delete(key)
    // Vike sends page data with status 200 even for a 404. If the item is the URL, the URL has no page, so status 200 is
    // a 404, too. Otherwise, the item may have been created meanwhile.
    const isNotFound = ({ outcome, status }: RenderedPage) => outcome !== 'failed' && (status === 404 || item === url)
    rendering.then((rendered) => !isNotFound(rendered) && remove(), remove)
    return rendering
  }
}

/** Returns the routes of all pages except the catch-all page, which renders 404 pages. */
async function pageRoutes({ getGlobalContext }: Vike): Promise<string[]> {
  const { pages } = await getGlobalContext()
  return Object.values(pages).flatMap(({ route }) => (typeof route === 'string' && !CATCH_ALL.has(route) ? route : []))
}

async function send(request: FastifyRequest, reply: FastifyReply, page: Page, cacheControl = 'no-cache') {
  const encoding = chooseEncoding(request.headers['accept-encoding'])
  reply.headers(pageHeaders(page, encoding).content)
  if (page.outcome === 'failed') reply.headers({ 'cache-control': 'no-store', 'retry-after': 5 })
  else reply.header('cache-control', cacheControl)
  return reply.code(page.status).send(await page.encoded(encoding))
}
