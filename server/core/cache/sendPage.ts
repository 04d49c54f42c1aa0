import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { chooseEncoding, type Encoding } from '#server/core/http/contentEncoding.ts'
import { namesTag } from '#server/core/http/etag.ts'
import type { Page } from './cachedPage.ts'

/** Sends a finished page through the framework, compressed if that has not been done yet. */
export async function sendFinished(request: FastifyRequest, reply: FastifyReply, page: Page) {
  const encoding = chooseEncoding(request.headers['accept-encoding'])
  const { validators, content } = headersOf(page, encoding)
  reply.headers(validators)
  if (isKnown(request.headers, page, encoding)) return reply.code(304).send()
  return reply.headers(content).send(await page.encoded(encoding))
}

export const isKnown = (headers: IncomingHttpHeaders, page: Page, encoding: Encoding) =>
  headers['if-none-match'] !== undefined && namesTag(headers['if-none-match'], page.etag(encoding))

/**
 * Caches in front may keep a page and have to ask whether it is still so, which costs next to nothing: what was
 * written or deleted shows at once.
 */
export function headersOf(page: Page, encoding: Encoding) {
  const validators = { etag: page.etag(encoding), vary: 'accept-encoding', 'cache-control': 'public, no-cache' }
  return { validators, content: { ...page.headers, ...(encoding !== 'identity' && { 'content-encoding': encoding }) } }
}
