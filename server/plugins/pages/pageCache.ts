import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Page } from '#server/core/cache/cachedPage.ts'
import type { PageCache } from '#server/core/cache/pageCache.ts'
import { isNotModified, pageHeaders } from '#server/core/cache/sendPage.ts'
import { chooseEncoding, type Encoding } from '#server/core/http/contentEncoding.ts'
import type { Headers } from '#server/core/security/headers.ts'
import type { SlowReaders } from '#server/plugins/protection/slowReaders.ts'

/**
 * Replaces Fastify's request listeners to send fresh pages directly: routing and hooks take several times as long as
 * sending a page. Fastify never sees these requests, so no hook, request log, response metric or limit applies to them.
 * @param securityHeaders returns the same object as long as the headers are the same
 */
export function registerPageCache(
  app: FastifyInstance,
  cache: PageCache,
  securityHeaders: () => Headers,
  isShuttingDown: () => boolean,
  slowReaders: SlowReaders,
): void {
  const headerLists = new WeakMap<Page, Map<Encoding, HeaderLists>>()
  const { server } = app
  const listeners = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[]
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    if (!sendFromCache(request, response)) for (const listener of listeners) listener(request, response)
  })

  /** Returns false for a request that Fastify handles. */
  function sendFromCache(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, url = '', headers } = request
    // A pipelined request has no socket before its turn.
    if ((method !== 'GET' && method !== 'HEAD') || response.socket === null || headers.host === undefined) return false
    // Bodies have a timeout, which a hook enforces.
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return false
    const page = isShuttingDown() ? undefined : cache.getFresh(url)
    if (!page) return false
    const encoding = chooseEncoding(headers['accept-encoding'])
    const body = page.encoded(encoding)
    if (!Buffer.isBuffer(body)) return false
    cache.countHit()
    const { notModified, ok } = headersFor(page, encoding, body)
    if (isNotModified(headers, page, encoding)) response.writeHead(304, notModified).end()
    else response.writeHead(200, ok).end(method === 'HEAD' ? undefined : body)
    // The body is shared, but a slow reader occupies a connection.
    if (response.socket?.writableLength) slowReaders.watch(request, response)
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

/** Headers as `writeHead` takes them: alternating names and values. */
type HeaderLists = { security: Headers; notModified: string[]; ok: string[] }
