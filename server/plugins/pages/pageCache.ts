import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { isNotModified, type Page, pageHeaders } from '#server/core/cache/cachedPage.ts'
import type { PageCache } from '#server/core/cache/pageCache.ts'
import { canonicalPageUrl, languageKey } from '#server/core/cache/pageKeys.ts'
import { chooseEncoding, type Encoding } from '#server/core/http/contentEncoding.ts'
import type { Headers } from '#server/core/security/headers.ts'
import type { Language } from '#src/contract/languages.ts'

/**
 * Replaces Fastify's request listeners to send fresh pages directly: routing and hooks take several times as long as
 * sending a page. Fastify never sees these requests: hooks, request log, response metrics and limits do not apply to
 * them.
 * @param securityHeaders returns the same object until the headers change
 */
export function registerPageCache(
  app: FastifyInstance,
  cache: PageCache,
  securityHeaders: () => Headers,
  isShuttingDown: () => boolean,
  languageOf: (headers: IncomingHttpHeaders) => Language,
): void {
  const headerLists = new WeakMap<Page, Map<Encoding, HeaderLists>>()
  const { server } = app
  const listeners = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[]
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    if (!sendFromCache(request, response)) for (const listener of listeners) listener(request, response)
  })

  /** Returns false if Fastify must handle the request. */
  function sendFromCache(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, url = '', headers } = request
    // A pipelined response has no socket until the earlier responses are finished.
    if ((method !== 'GET' && method !== 'HEAD') || response.socket === null || headers.host === undefined) return false
    // Fastify must handle requests with a body, because its hooks discard the body.
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return false
    const page = isShuttingDown() ? undefined : cache.getFresh(languageKey(languageOf(headers), url), url)
    if (!page) return false
    const encoding = chooseEncoding(headers['accept-encoding'])
    const body = page.encoded(encoding)
    if (!Buffer.isBuffer(body)) return false
    cache.countHit()
    const { notModified, ok } = headersFor(page, encoding, body)
    if (isNotModified(headers, page, encoding)) response.writeHead(304, notModified).end()
    else response.writeHead(200, ok).end(method === 'HEAD' ? undefined : body)
    return true
  }

  function headersFor(page: Page, encoding: Encoding, body: Buffer): HeaderLists {
    const security = securityHeaders()
    const lists = headerLists.get(page) ?? new Map<Encoding, HeaderLists>()
    const cached = lists.get(encoding)
    if (cached?.security === security) return cached
    const { validators, content } = pageHeaders(page, encoding)
    const notModified = { ...security, ...validators }
    const built: HeaderLists = {
      security,
      notModified: Object.entries(notModified).flat(),
      ok: Object.entries({ ...notModified, ...content, 'content-length': String(body.length) }).flat(),
    }
    headerLists.set(page, lists.set(encoding, built))
    return built
  }
}

/** Header lists for `writeHead`: names and values alternate. */
type HeaderLists = { security: Headers; notModified: string[]; ok: string[] }

/**
 * Redirects to the canonical URL of a cacheable page. Saves CPU time: otherwise the page would be rendered for every
 * spelling of its URL.
 */
export function registerCanonicalUrls(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const url = request.method === 'GET' || request.method === 'HEAD' ? canonicalPageUrl(request.url) : null
    if (url === null) done()
    else reply.redirect(url, 301)
  })
}
