import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { errors } from '#server/core/errors.ts'
import type { Headers } from '#server/core/security/headers.ts'
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
