import type { FastifyInstance } from 'fastify'
import { onAnswer } from '#server/core/http/onResponse.ts'

/** ms from which on an answer is worth a line of its own */
const SLOW_MS = 1000
const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * A line for each answer: what fails, is slow or changes something is told at `info`, the many that read at `debug`.
 * It names the route's pattern, never the address, and nobody's network address. The id of its request stands in every
 * line about it and in the answer; one that comes with a request is not believed, or anybody could write another's.
 */
export function registerRequestLog(app: FastifyInstance): void {
  const isTalkative = app.log.level === 'debug' || app.log.level === 'trace'
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  onAnswer(app, ({ request, reply, milliseconds, isCutOff, isEndless }) => {
    const { method, routeOptions, log } = request
    const { statusCode: status } = reply
    const isSlow = milliseconds >= SLOW_MS && !isEndless
    const isNotable = status >= 500 || isSlow || !READS.has(method)
    if (!isNotable && !isTalkative) return
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
