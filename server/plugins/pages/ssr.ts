import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createPage, type Page, pageHeaders, sendCacheablePage } from '#server/core/cache/cachedPage.ts'
import { addWriteMarker, findCacheablePage, languageKey } from '#server/core/cache/pageKeys.ts'
import type { Services } from '#server/core/context.ts'
import { chooseEncoding } from '#server/core/http/contentEncoding.ts'
import { chooseLanguage, inLanguage } from '#server/core/http/language.ts'
import { hashVisitor } from '#server/core/http/visitors.ts'
import { COST } from '#server/core/limits/requestCost.ts'
import { readNotice } from '#server/features/moderation/admission/switches.ts'
import { brandStylesUrl } from '#server/features/site/brandStyles.ts'
import { writeBanner } from '#server/features/site/images/banners.ts'
import { iconsQuery } from '#server/features/site/images/siteImages.ts'
import { createReference } from '#server/plugins/api/openapi/reference.ts'
import { startErrorReply } from '#server/plugins/api/rest.ts'
import { isDevServerUrl } from '#server/plugins/protection/malformedRequests.ts'
import { API_PATH } from '#src/contract/apiReference.ts'
import type { SubmittedForm } from '#src/contract/forms.ts'
import { UploadedFile } from '#src/contract/image.ts'
import type { Site } from '#src/contract/site.ts'
import type { SiteSwitch } from '#src/contract/switches.ts'
import { sendPageError } from './errorPage.ts'
import { type Renderer, renderPage } from './renderPage.ts'

/** Searches are large reads, and the cache does not keep them. */
const SEARCH = /^\/search(?:[/?]|$)/

/** Serves pages for all URLs without their own route. Registered last. */
export function registerPages(app: FastifyInstance, services: Services, site: Site, renderer: Renderer): void {
  const readCurrentNotice = createNoticeReader(services)
  const readApiReference = () => createReference(app.readApiDocument())
  const renderUrl = async (request: FastifyRequest, url: string, form?: SubmittedForm) => {
    const facts = {
      ...(await readBrand(services, site)),
      notice: await readCurrentNotice(),
      readApiReference,
      ...(form && { submittedForm: form, formUrl: url }),
    }
    const language = chooseLanguage(site, request.headers)
    return inLanguage(language, () => renderPage(services, site, language, renderer, request, url, facts))
  }

  const sendError = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    sendPageError(site, error, request, reply)
  app.get('/*', { errorHandler: sendError }, sendPage)
  // All other URLs below /api are calls.
  app.get(`${API_PATH}/index.pageContext.json`, { errorHandler: sendError }, sendPage)

  async function sendPage(request: FastifyRequest, reply: FastifyReply) {
    if (isDevServerUrl(request.url)) return reply.callNotFound()
    const found = services.config.pageCache ? findCacheablePage(request.url) : null
    const cacheable = found && { ...found, url: languageKey(chooseLanguage(site, request.headers), found.url) }
    if (!cacheable || cacheable.isAfterWrite || !services.cache.has(cacheable))
      services.costs.charge(request, COST.render + (SEARCH.test(request.url) ? COST.largeAnswer : 0))
    if (!found || !cacheable) return send(request, reply, createPage(await renderUrl(request, request.url)))
    const visitorHash = () => hashVisitor(request, services.secrets.visitors, services.now())
    const page = await services.cache.read(cacheable, visitorHash, () => renderUrl(request, found.url))
    if (page.outcome !== 'cacheable') return send(request, reply, page)
    return sendCacheablePage(request, reply, page, cacheable.isAfterWrite ? 'private, no-cache' : undefined)
  }

  app.formPages.sendError = sendError
  app.formPages.send = async (request, reply, page, run, fields) => {
    services.costs.charge(request, COST.render)
    let status = 200
    let refusal: SubmittedForm['refusal'] = null
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
      refusal = { text: message, code, field, appealToken: ban?.appealToken ?? null }
    }
    const { image, ...others } = fields()
    const texts = Object.entries(others).flatMap(([name, value]) =>
      ['string', 'number', 'boolean'].includes(typeof value) ? [[name, String(value)]] : [],
    )
    const hasImage = image instanceof UploadedFile || Array.isArray(image)
    const url = typeof page.path === 'string' ? page.path : page.path(fields() as never)
    const form = { fields: Object.fromEntries(texts), hasImage, refusal, result }
    const rendered = await renderUrl(request, url, form)
    // The page can contain what the visitor typed, and links that are shown only once.
    const answer = createPage({ ...rendered, status: rendered.status === 200 ? status : rendered.status })
    return send(request, reply, answer, 'no-store')
  }

  // Logging in needs JavaScript. Redirect a native submit (for example by a password manager) to the form, without
  // reading the body.
  const toForm = async (_request: FastifyRequest, reply: FastifyReply) => reply.redirect('/login', 303)
  app.post('/login', { onRequest: toForm }, toForm)
}

async function send(request: FastifyRequest, reply: FastifyReply, page: Page, cacheControl = 'no-cache') {
  const encoding = chooseEncoding(request.headers['accept-encoding'])
  reply.headers(pageHeaders(page, encoding).content)
  if (page.outcome === 'failed') reply.headers({ 'cache-control': 'no-store', 'retry-after': 5 })
  else reply.header('cache-control', cacheControl)
  return reply.code(page.status).send(await page.encoded(encoding))
}

/** Limits the delay of a page if the database does not answer. */
const WAIT_MS = 500

/** Reads the parts of pages that come from the operator's images. */
async function readBrand({ siteImages }: Pick<Services, 'siteImages'>, { accent }: Pick<Site, 'accent'>) {
  const images = await siteImages()
  return {
    brandStyles: brandStylesUrl({ accent, ...images }),
    iconsQuery: iconsQuery(images.icons),
    writeBanner: (boardId: string, page: string) => writeBanner(images, boardId, page),
  }
}

/** Returns a function that reads the notice for visitors. Without the database, it returns the previous notice. */
function createNoticeReader(services: Services): () => Promise<SiteSwitch[]> {
  let switches: SiteSwitch[] = []
  return async () => {
    const reading = readNotice(services).catch(() => switches)
    switches = await Promise.race([reading, sleep(WAIT_MS, switches, { ref: false })])
    return switches
  }
}
