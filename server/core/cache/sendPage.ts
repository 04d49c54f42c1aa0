import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { chooseEncoding, type Encoding } from '#server/core/http/contentEncoding.ts'
import type { Page } from './cachedPage.ts'

export async function sendCacheablePage(request: FastifyRequest, reply: FastifyReply, page: Page) {
  const encoding = chooseEncoding(request.headers['accept-encoding'])
  const { validators, content } = pageHeaders(page, encoding)
  reply.headers(validators)
  if (isNotModified(request.headers, page, encoding)) return reply.code(304).send()
  return reply.headers(content).send(await page.encoded(encoding))
}

export const isNotModified = (headers: IncomingHttpHeaders, page: Page, encoding: Encoding) =>
  matchesEtag(headers['if-none-match'], page.etag(encoding))

/** Returns whether an If-None-Match header contains an ETag. A proxy may have made the header's ETag weak. */
export const matchesEtag = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*') ?? false

export function pageHeaders(page: Page, encoding: Encoding) {
  const validators = { etag: page.etag(encoding), vary: 'accept-encoding', 'cache-control': 'public, no-cache' }
  return { validators, content: { ...page.headers, ...(encoding !== 'identity' && { 'content-encoding': encoding }) } }
}
