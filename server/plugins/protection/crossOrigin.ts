import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '#server/core/config/config.ts'
import { errors, errorTexts } from '#server/core/errors.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses what pages of other sites make a visitor's browser send: it would spend what the visitor's network may do.
 * Programs send none of these headers and go on working.
 */
export function registerForeignOrigins(app: FastifyInstance, { siteUrl }: Pick<Config, 'siteUrl'>): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const isRefused = !SAFE_METHODS.has(request.method) && isForeign(request, siteUrl)
    done(isRefused ? errors.forbidden(errorTexts.foreignOrigin) : undefined)
  })
}

function isForeign({ headers, host }: FastifyRequest, siteUrl: string): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  // No page can write this header itself. `none` is something a person did, such as opening a bookmark.
  if (site === 'same-origin' || site === 'none') return false
  if (site === 'cross-site') return true
  // Browsers leave it out over plain http; 'same-site' may be a neighbour below the same domain.
  if (origin === undefined) return site === 'same-site'
  // The site may be reached under other names than its own, an onion address for one.
  return origin !== siteUrl && !(URL.canParse(origin) && new URL(origin).host === host.toLowerCase())
}
