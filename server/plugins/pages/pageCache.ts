import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Page } from '#server/core/cache/cachedPage.ts'
import type { PageCache } from '#server/core/cache/pageCache.ts'
import { headersOf, isKnown } from '#server/core/cache/sendPage.ts'
import { chooseEncoding, type Encoding } from '#server/core/http/contentEncoding.ts'
import type { Headers } from '#server/core/security/headers.ts'
import type { UnreadAnswers } from '#server/plugins/protection/slowReaders.ts'

/**
 * Answers with finished pages before the framework has looked at a request: those that are in memory, fresh and asked
 * for by their plain address. Taking a request apart and writing the same headers anew takes several times as long as
 * sending the page. Everything else goes its way.
 * @param security the headers of every answer; the same object as long as they are the same
 * @param isLeaving whether the site is about to end: then each answer says so, and the framework's way sees to it
 */
export function registerFinishedPages(
  app: FastifyInstance,
  cache: PageCache,
  security: () => Headers,
  isLeaving: () => boolean,
  unreadAnswers: UnreadAnswers,
): void {
  const ready = new WeakMap<Page, Map<Encoding, Ready>>()
  const { server } = app
  const rest = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[]
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    if (!isSent(request, response)) for (const handle of rest) handle(request, response)
  })

  function isSent(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, url = '', headers } = request
    // Where others wait before it on the same connection, its turn is the framework's business.
    if ((method !== 'GET' && method !== 'HEAD') || response.socket === null || headers.host === undefined) return false
    // A body is watched while it arrives, also one that nobody wants.
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return false
    const page = isLeaving() ? undefined : cache.fresh(url)
    if (!page) return false
    const encoding = chooseEncoding(headers['accept-encoding'])
    const body = page.encoded(encoding)
    if (!Buffer.isBuffer(body)) return false
    cache.countHit()
    const { known, whole } = readyOf(page, encoding, body)
    if (isKnown(headers, page, encoding)) response.writeHead(304, known).end()
    else response.writeHead(200, whole).end(method === 'HEAD' ? undefined : body)
    // Shared by all its readers, a page costs nothing more while it waits, but its connection does.
    if (response.socket?.writableLength) unreadAnswers.watch(request, response)
    return true
  }

  function readyOf(page: Page, encoding: Encoding, body: Buffer): Ready {
    const common = security()
    const forms = ready.get(page) ?? new Map<Encoding, Ready>()
    const made = forms.get(encoding)
    if (made?.common === common) return made
    const { validators, content } = headersOf(page, encoding)
    const list = { ...common, ...validators }
    const fresh: Ready = {
      common,
      known: Object.entries(list).flat(),
      whole: Object.entries({ ...list, ...content, 'content-length': String(body.length) }).flat(),
    }
    ready.set(page, forms.set(encoding, fresh))
    return fresh
  }
}

/** Names and values by turns, as they are written. */
type Ready = { common: Headers; known: string[]; whole: string[] }
