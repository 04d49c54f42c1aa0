import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { MemoryBudget } from '#server/core/limits/memoryBudget.ts'
import type { ConnectionLimits } from './connectionLimits.ts'

/** Smaller bodies are not counted: the connection limit already limits their total size. */
const SMALL_BYTES = 16 * 1024

/**
 * Counts the memory of request bodies, except for multipart bodies, which the form parser counts. Reads the rest of a
 * refused body for a while.
 */
export function registerRequestBodies(app: FastifyInstance, budget: MemoryBudget, limits: ConnectionLimits): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const length = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY)
    if (length <= SMALL_BYTES || request.isMultipart()) return done(null, payload)
    const counted = countBytes(payload, (bytes) => budget.take(request, bytes))
    done(null, Readable.from(counted, { objectMode: false }))
  })
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (hasBody(request) && !request.raw.readableEnded) discardBody(request, reply, limits)
    done()
  })
}

function hasBody({ raw: { headers } }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/** Discards the rest of the body. Closing the connection while the client still sends would lose the response. */
function discardBody({ raw }: FastifyRequest, reply: FastifyReply, limits: ConnectionLimits): void {
  const timer = setTimeout(() => raw.socket.destroy(), limits.refusedBodyMs).unref()
  raw.once('end', () => clearTimeout(timer))
  raw.unpipe()
  let discarded = 0
  raw.on('data', (chunk: Buffer) => {
    discarded += chunk.length
    if (discarded > limits.refusedBodyBytes) raw.pause()
  })
  raw.resume()
  reply.removeHeader('connection')
  if (reply.raw.shouldKeepAlive) return
  reply.raw.shouldKeepAlive = true
  const endWhenDone = () => {
    if (raw.complete && reply.raw.writableFinished) raw.socket.destroySoon()
  }
  raw.once('end', endWhenDone)
  reply.raw.once('finish', endWhenDone)
}

async function* countBytes(payload: AsyncIterable<Buffer>, take: (bytes: number) => void) {
  // Keep the stream open after a rejection, because the response uses the same connection.
  for await (const chunk of (payload as unknown as Readable).iterator({ destroyOnReturn: false })) {
    take(chunk.length)
    yield chunk
  }
}
