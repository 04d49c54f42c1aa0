import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { BodyBudget, BodyReservation } from '#server/core/limits/bodyBudget.ts'
import type { ConnectionLimits } from '#server/core/limits/connectionLimits.ts'

/** Smaller bodies are not counted: the connection limit already limits their total size. */
const SMALL_BYTES = 16 * 1024

type IncomingBody = {
  request: FastifyRequest
  reply: FastifyReply
  /** ms that the client may still pause; received bytes increase it, up to the maximum */
  pauseBudgetMs: number
  checkedAt: number
  /** bytes read from the connection at the last check */
  bytesRead: number
  progressAt: number
  rejectedAt: number | null
}

/**
 * Enforces a minimum speed for request bodies. Counts the memory that they use, except for multipart bodies, which
 * the form parser counts.
 */
export function registerBodyTimeouts(
  app: FastifyInstance,
  budget: BodyBudget,
  limits: ConnectionLimits,
  refuse: (request: FastifyRequest) => void,
): void {
  const incoming = new Set<IncomingBody>()
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw
    // Requests from `app.inject` have no socket.
    if (hasBody(request) && socket instanceof Socket) {
      const now = performance.now()
      const pauseBudgetMs = limits.bodySilentMs
      const times = { checkedAt: now, progressAt: now, rejectedAt: null }
      incoming.add({ request, reply, pauseBudgetMs, bytesRead: socket.bytesRead, ...times })
    }
    done()
  })
  app.addHook('preParsing', (request, reply, payload, done) => {
    const length = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY)
    if (length <= SMALL_BYTES || request.isMultipart()) return done(null, payload)
    const counted = countBytes(payload, () => budget.reserve(request, reply))
    done(null, Readable.from(counted, { objectMode: false }))
  })
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (hasBody(request) && !request.raw.readableEnded) discardBody(request, reply, limits)
    done()
  })
  const timer = setInterval(() => {
    const now = performance.now()
    for (const body of incoming) {
      if (body.request.raw.complete || body.request.raw.destroyed) incoming.delete(body)
      else if (isTooSlow(body, now, limits)) {
        incoming.delete(body)
        // If a response was already sent, the client would mistake a second one for the response to its next request.
        if (body.reply.raw.writableEnded) body.request.raw.socket.destroy()
        else refuse(body.request)
      }
    }
  }, limits.bodyCheckMs).unref()
  app.addHook('onClose', async () => clearInterval(timer))
}

function hasBody({ raw: { headers } }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/** Discards the rest of the body. Closing the connection while the client still sends would lose the response. */
function discardBody({ raw }: FastifyRequest, reply: FastifyReply, limits: ConnectionLimits): void {
  raw.unpipe()
  let discarded = 0
  raw.on('data', (chunk: Buffer) => {
    discarded += chunk.length
    if (discarded <= limits.refusedBodyBytes || raw.isPaused()) return
    raw.pause()
    // The client has time to read the response: it could lose it when the connection is closed.
    setTimeout(() => raw.socket.destroy(), limits.refusedBodySilentMs).unref()
  })
  raw.resume()
  reply.removeHeader('connection')
  if (reply.raw.shouldKeepAlive) return
  reply.raw.shouldKeepAlive = true
  const { socket } = raw
  const endWhenDone = () => {
    if (raw.complete && reply.raw.writableFinished) socket.destroySoon()
  }
  raw.once('end', endWhenDone)
  reply.raw.once('finish', endWhenDone)
}

async function* countBytes(payload: AsyncIterable<Buffer>, reserve: () => BodyReservation) {
  const reservation = reserve()
  // Keep the stream open after a rejection, because the response uses the same connection.
  for await (const chunk of (payload as unknown as Readable).iterator({ destroyOnReturn: false })) {
    reservation.take(chunk.length)
    yield chunk
  }
}

function isTooSlow(body: IncomingBody, now: number, limits: ConnectionLimits): boolean {
  const { request, reply } = body
  const { bytesRead } = request.raw.socket
  // Unread bytes mean that the server is slow, not the client.
  const isServerSlow = request.raw.readableLength > 0
  if (bytesRead !== body.bytesRead || isServerSlow) body.progressAt = now
  const earned = ((bytesRead - body.bytesRead) / limits.bodyBytesPerSecond) * 1000
  const spent = isServerSlow ? 0 : now - body.checkedAt
  body.pauseBudgetMs = Math.min(limits.bodySilentMs, body.pauseBudgetMs + earned - spent)
  Object.assign(body, { bytesRead, checkedAt: now })
  if (reply.raw.writableEnded) {
    body.rejectedAt ??= now
    const since = Math.max(body.rejectedAt, body.progressAt)
    return now - body.rejectedAt > limits.refusedBodyMs || now - since > limits.refusedBodySilentMs
  }
  return body.pauseBudgetMs < 0
}
