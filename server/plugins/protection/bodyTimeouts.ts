import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { BodyBudget, Holding } from '#server/core/limits/bodyBudget.ts'
import type { DoorBounds } from '#server/core/limits/connectionLimits.ts'

/** Smaller ones need no counting: there are no more of them than connections. */
const SMALL_BYTES = 16 * 1024

type Arriving = {
  request: FastifyRequest
  reply: FastifyReply
  /** ms it may still pause; what arrives earns more, up to the longest pause */
  patience: number
  checkedAt: number
  /** bytes of the connection at the last check */
  seen: number
  seenAt: number
  refusedAt: number | null
}

/** Bodies arrive at a pace, and what is kept of them is counted; forms count themselves, for they keep less than comes. */
export function registerBodies(
  app: FastifyInstance,
  budget: BodyBudget,
  bounds: DoorBounds,
  refuse: (request: FastifyRequest) => void,
): void {
  const arriving = new Set<Arriving>()
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw
    // One that was injected came over no connection.
    if (hasBody(request) && socket instanceof Socket) {
      const now = performance.now()
      const patience = bounds.bodySilentMs
      const times = { checkedAt: now, seenAt: now, refusedAt: null }
      arriving.add({ request, reply, patience, seen: socket.bytesRead, ...times })
    }
    done()
  })
  app.addHook('preParsing', (request, reply, payload, done) => {
    const length = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY)
    if (length <= SMALL_BYTES || request.isMultipart()) return done(null, payload)
    done(
      null,
      Readable.from(
        counted(payload, () => budget.holdingOf(request, reply)),
        { objectMode: false },
      ),
    )
  })
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (hasBody(request) && !request.raw.readableEnded) letPass(request, reply)
    done()
  })
  const timer = setInterval(() => {
    const now = performance.now()
    for (const one of arriving) {
      if (one.request.raw.complete || one.request.raw.destroyed) arriving.delete(one)
      else if (isTooSlow(one, now, bounds)) {
        arriving.delete(one)
        // After its answer nothing may be said that would pass for the next one.
        if (one.reply.raw.writableEnded) one.request.raw.socket.destroy()
        else refuse(one.request)
      }
    }
  }, bounds.bodyCheckMs).unref()
  app.addHook('onClose', async () => clearInterval(timer))
}

function hasBody({ raw: { headers } }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/**
 * Lets a body that is answered half read go on into nothing: left alone it would hold the connection, and were that
 * ended at once, the answer would be lost to who is still sending.
 */
function letPass({ raw }: FastifyRequest, reply: FastifyReply): void {
  raw.unpipe()
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

async function* counted(payload: AsyncIterable<Buffer>, hold: () => Holding) {
  const holding = hold()
  // Left open when it is refused here: the answer goes out through the same connection.
  for await (const chunk of (payload as unknown as Readable).iterator({ destroyOnReturn: false })) {
    holding.take(chunk.length)
    yield chunk
  }
}

/** A body that came fast at first earns no more than the longest pause: then it has to go on arriving. */
function isTooSlow(one: Arriving, now: number, bounds: DoorBounds): boolean {
  const { request, reply } = one
  const { bytesRead } = request.raw.socket
  // What waits here to be read is our own slowness.
  const isOurs = request.raw.readableLength > 0
  if (bytesRead !== one.seen || isOurs) one.seenAt = now
  const earned = ((bytesRead - one.seen) / bounds.bodyBytesPerSecond) * 1000
  const spent = isOurs ? 0 : now - one.checkedAt
  one.patience = Math.min(bounds.bodySilentMs, one.patience + earned - spent)
  Object.assign(one, { seen: bytesRead, checkedAt: now })
  if (reply.raw.writableEnded) {
    one.refusedAt ??= now
    const since = Math.max(one.refusedAt, one.seenAt)
    return now - one.refusedAt > bounds.refusedBodyMs || now - since > bounds.refusedBodySilentMs
  }
  return one.patience < 0
}
