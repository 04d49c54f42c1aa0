import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '#server/core/config/config.ts'
import { errors } from '#server/core/errors.ts'
import { READABLE } from '#server/core/security/headers.ts'
import { apiNotFound } from '#server/plugins/api/rest.ts'
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

const READ_METHODS = ['GET', 'HEAD']
const ANSWER = { ...READABLE, 'access-control-expose-headers': 'Retry-After' }
const PREFLIGHT = {
  ...ANSWER,
  'access-control-allow-methods': READ_METHODS.join(', '),
  'access-control-allow-headers': 'Authorization, X-Delete-Token',
  // A day. Browsers limit it to less.
  'access-control-max-age': '86400',
}

/**
 * Lets pages of other sites read the calls. They can only read what everybody can read: browsers send no token of this
 * site with such a request. Register this before the hooks that refuse requests, so that pages can read refusals, too.
 * @param paths routes of calls with GET, below /api
 */
export function registerCors(app: FastifyInstance, paths: string[]): void {
  const readable = new Set(paths)
  app.addHook('onRequest', (request, reply, done) => {
    const { url = '' } = request.routeOptions
    if (READ_METHODS.includes(request.method) && readable.has(url)) reply.headers(ANSWER)
    done()
  })
  for (const path of paths) {
    app.options(path, (request, reply) =>
      // Refuses other methods. Browsers would send a POST even if the list of methods does not contain it.
      READ_METHODS.includes(String(request.headers['access-control-request-method']))
        ? reply.code(204).headers(PREFLIGHT).send()
        : apiNotFound(request, reply),
    )
  }
}
