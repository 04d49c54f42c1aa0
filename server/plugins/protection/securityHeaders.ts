import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '#server/core/config/config.ts'
import { errors } from '#server/core/errors.ts'
import { type Headers, READABLE } from '#server/core/security/headers.ts'
import { apiNotFound } from '#server/plugins/api/rest.ts'
import { refusal } from '#src/contract/refusal.ts'
import { refusalText } from '#src/i18n/refusalText.ts'

/** URLs that grant access to a paste or a shared image. */
const CAPABILITY_URL = /^\/+(?:api\/+)?(?:paste|image-share)\//
/** The URLs of these forms can contain a capability URL or the token of an appeal. */
const FORM_PAGE = /^\/+(?:report|appeal)(?:\/|$)|^\/+api\/+moderation\//
/**
 * Keeps secret URLs out of caches, search engines and other sites' Referer headers. `no-referrer` would also hide the
 * origin of a form on the page, and the server would take it for a form of another site.
 */
const SECRET_URL_HEADERS = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex', 'referrer-policy': 'same-origin' }

/** Adds prebuilt headers. A library that built them for each request took as long as sending a cached page. */
export function registerSecurityHeaders(app: FastifyInstance, headers: () => Headers): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers())
    const { httpVersion, headers: asked } = request.raw
    if (asked.host === undefined && httpVersion === '1.1') done(errors.badRequest(refusal('failure.badRequest')))
    else done()
  })
  app.addHook('onSend', (request, reply, _payload, done) => {
    const [path = ''] = request.url.split('?')
    const decoded = decodeURIComponent(path)
    if (CAPABILITY_URL.test(decoded) || FORM_PAGE.test(decoded)) reply.headers(SECRET_URL_HEADERS)
    // Do not cache errors: during a rolling restart, old processes respond with 404 for files of the new version.
    if (reply.statusCode >= 400 && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    done()
  })
  app.server.on('checkExpectation', (_request, response: ServerResponse) => {
    const body = JSON.stringify({ success: false, error: refusalText(refusal('failure.badRequest')) })
    // Close the connection: the client may still send the body, and it must not be parsed as the next request.
    const own = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', connection: 'close' }
    response.writeHead(417, { ...headers(), ...own, 'content-length': body.length }).end(body)
  })
}

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
