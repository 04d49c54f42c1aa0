import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { errors, errorTexts } from '#server/core/errors.ts'
import type { Headers } from '#server/core/security/headers.ts'

/**
 * Security headers on every answer, those included that the parser below us would give by itself, in a shape of its
 * own. One record made beforehand, and no library: that took as long as sending a finished page does. And no refusal or
 * failure is kept by a cache in front, unless it says itself how it may be.
 */
export function registerHeaders(app: FastifyInstance, headers: () => Headers): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers())
    const { httpVersion, headers: asked } = request.raw
    if (asked.host === undefined && httpVersion === '1.1') done(errors.badRequest(errorTexts.badRequest))
    else done()
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    // While one process after the other is replaced, some do not have the files yet that the new pages name.
    if (reply.statusCode >= 400 && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    done()
  })
  app.server.on('checkExpectation', (_request, response: ServerResponse) => {
    const body = JSON.stringify({ success: false, error: errorTexts.badRequest })
    // What follows may be the body the client meant to hold back.
    const own = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', connection: 'close' }
    response.writeHead(417, { ...headers(), ...own, 'content-length': body.length }).end(body)
  })
}
