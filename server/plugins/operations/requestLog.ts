import type { FastifyInstance } from 'fastify'
import { onResponse } from '#server/core/http/onResponse.ts'

const SLOW_MS = 1000
const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Logs failures, slow responses and writes at `info`, and other reads at `debug`. Logs the route pattern, never the URL
 * or the client. The server generates request ids and ignores a client's X-Request-Id.
 */
export function registerRequestLog(app: FastifyInstance): void {
  const isDebug = app.log.level === 'debug' || app.log.level === 'trace'
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  onResponse(app, ({ request, reply, milliseconds, isCutOff, isEndless }) => {
    const { method, routeOptions, log } = request
    const { statusCode: status } = reply
    const isSlow = milliseconds >= SLOW_MS && !isEndless
    const isNotable = status >= 500 || isSlow || !READS.has(method)
    if (!isNotable && !isDebug) return
    const length = reply.getHeader('content-length')
    log[isNotable ? 'info' : 'debug'](
      {
        method,
        route: routeOptions.url ?? 'none',
        status,
        ms: Math.round(milliseconds * 10) / 10,
        ...(length !== undefined && { bytes: Number(length) }),
        ...(isCutOff && { cutOff: true }),
      },
      'answered',
    )
  })
}
