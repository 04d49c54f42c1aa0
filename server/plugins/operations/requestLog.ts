import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

type CompletedResponse = {
  request: FastifyRequest
  reply: FastifyReply
  /** time since the server read the request head */
  milliseconds: number
  /** whether the client disconnected before the end */
  isCutOff: boolean
  /** whether this is an event or audio stream; its duration is not a latency */
  isEndless: boolean
}

const ENDLESS = /^(text\/event-stream|audio\/|application\/ogg)/

export function onResponse(app: FastifyInstance, callback: (response: CompletedResponse) => void): void {
  app.addHook('onRequest', (request, reply, done) => {
    const startedAt = performance.now()
    const { raw } = reply
    raw.once('close', () => {
      const isEndless =
        raw.statusCode === 200 &&
        !raw.hasHeader('content-length') &&
        ENDLESS.test(String(raw.getHeader('content-type')))
      callback({
        request,
        reply,
        milliseconds: performance.now() - startedAt,
        isCutOff: !raw.writableFinished,
        isEndless,
      })
    })
    done()
  })
}

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
