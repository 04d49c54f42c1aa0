import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { chooseEncoding, type Encoding } from '#server/core/http/contentEncoding.ts'
import type { Page } from './cachedPage.ts'

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
