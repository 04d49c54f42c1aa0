import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { chooseEncoding, type Encoding, encode } from '#server/core/http/contentEncoding.ts'

export type RenderedPage = {
  outcome: 'cacheable' | 'uncacheable' | 'failed'
  status: number
  headers: Record<string, string>
  /** headers that a 304 has too */
  sharedHeaders?: Record<string, string>
  /** the second since which the content is the same; set only for pages that support If-Modified-Since */
  unchangedSince?: number
  body: Buffer
}

export type Page = RenderedPage & {
  etag: (encoding: Encoding) => string
  encoded: (encoding: Encoding) => Buffer | Promise<Buffer>
  /** the encodings in which the page was requested so far */
  encodings: () => Iterable<Encoding>
}

/** @param onGrow called with the size of each compressed body that is added */
export function createPage(rendered: RenderedPage, onGrow: (bytes: number) => void = () => {}): Page {
  const { body } = rendered
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  // A strong ETag identifies the exact bytes, so each encoding needs its own ETag.
  const etags = { identity: `"${hash}"`, gzip: `"${hash}-gzip"`, br: `"${hash}-br"` }
  const bodies = new Map<Encoding, Buffer | Promise<Buffer>>([['identity', body]])

  async function compress(encoding: Encoding): Promise<Buffer> {
    const bytes = await encode(body, encoding)
    bodies.set(encoding, bytes)
    onGrow(bytes.length)
    return bytes
  }

  return {
    ...rendered,
    etag: (encoding) => etags[encoding],
    encoded(encoding) {
      const bytes = bodies.get(encoding) ?? compress(encoding)
      bodies.set(encoding, bytes)
      return bytes
    },
    encodings: () => bodies.keys(),
  }
}

/** @param cacheControl replaces the page's own header */
export async function sendCacheablePage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: Page,
  cacheControl?: string,
) {
  const encoding = chooseEncoding(request.headers['accept-encoding'])
  const { validators, content } = pageHeaders(page, encoding)
  reply.headers({ ...validators, ...(cacheControl && { 'cache-control': cacheControl }) })
  if (isNotModified(request.headers, page, encoding)) return reply.code(304).send()
  return reply.headers(content).send(await page.encoded(encoding))
}

/** If-None-Match takes precedence over If-Modified-Since (RFC 9110, 13.1.3). */
export function isNotModified(headers: IncomingHttpHeaders, page: Page, encoding: Encoding): boolean {
  const { 'if-none-match': tags, 'if-modified-since': since } = headers
  if (tags !== undefined) return matchesEtag(tags, page.etag(encoding))
  if (since === undefined || page.unchangedSince === undefined) return false
  return Date.parse(since) >= page.unchangedSince * 1000
}

/** Returns whether an If-None-Match header contains an ETag. A proxy may have made the header's ETag weak. */
export const matchesEtag = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*') ?? false

export function pageHeaders(page: Page, encoding: Encoding) {
  const validators = {
    etag: page.etag(encoding),
    vary: 'accept-encoding',
    'cache-control': 'public, no-cache',
    ...page.sharedHeaders,
  }
  return { validators, content: { ...page.headers, ...(encoding !== 'identity' && { 'content-encoding': encoding }) } }
}
