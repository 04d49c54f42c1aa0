import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '#server/core/config/config.ts'
import { errors } from '#server/core/errors.ts'
import { refusal } from '#src/contract/refusal.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Rejects writes that other sites trigger in a visitor's browser. Only browsers send the checked headers. */
export function registerCrossOriginCheck(app: FastifyInstance, { siteUrl }: Pick<Config, 'siteUrl'>): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const isRefused = !SAFE_METHODS.has(request.method) && isCrossOrigin(request, siteUrl)
    done(isRefused ? errors.forbidden(refusal('failure.foreignOrigin')) : undefined)
  })
}

function isCrossOrigin({ headers, host }: FastifyRequest, siteUrl: string): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  // Scripts cannot set Sec-Fetch-Site. `none` means a user action, such as opening a bookmark.
  if (site === 'same-origin' || site === 'none') return false
  if (site === 'cross-site') return true
  // Without Origin, reject 'same-site': the request may come from another host of the same domain.
  if (origin === undefined) return site === 'same-site'
  // Also accept the requested host: the site may have other host names, such as an onion service.
  return origin !== siteUrl && !(URL.canParse(origin) && new URL(origin).host === host.toLowerCase())
}
