import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '#server/core/context.ts'
import type { MemoryBudget } from '#server/core/limits/networkBudget.ts'
import type { ConnectionLimits } from './connectionLimits.ts'

/**
 * Smaller bodies are not counted: the limit of connections already limits their total size. Smaller responses are not
 * counted if nothing else is queued: they fit into the system's buffers.
 */
const SMALL_BYTES = 16 * 1024
/** Headers to remove when an error replaces the body. */
const BODY_HEADERS = ['content-encoding', 'content-disposition', 'etag', 'accept-ranges', 'x-delete-url']

/**
 * Counts the memory of responses until clients have read them. The idle timeout of a connection ends readers that stop.
 * Streams are not counted, because they have backpressure.
 */
export function registerMemoryBudgets(
  app: FastifyInstance,
  { bodyBudget, responseBudget }: Pick<Services, 'bodyBudget' | 'responseBudget'>,
): void {
  app.addHook('onRequest', ({ raw: request }, { raw: response }, done) => {
    // Plugins and Node's streams add about a dozen listeners to a response. The default limit of ten would log a
    // warning.
    response.setMaxListeners(20)
    bodyBudget.open(request, response)
    responseBudget.open(request, response)
    done()
  })
  app.addHook('onSend', async (request, reply, payload) => {
    const body = await readPayload(payload, reply)
    if (!body) return payload
    const { socket } = reply.raw
    const isRead = socket !== null && socket.writableLength === 0
    const more = body.length - responseBudget.bytesOf(request.raw)
    if (reply.raw.closed || more <= 0 || (isRead && body.length <= SMALL_BYTES)) return body
    try {
      responseBudget.take(request, more)
    } catch (error) {
      if (isOnlyCopy(request.method)) return body
      for (const name of BODY_HEADERS) reply.removeHeader(name)
      throw error
    }
    return body
  })
}

/**
 * Responses to writes cannot be requested again, so they are sent even when the response budget is used up. For burning
 * pastes, `decryptPaste` reserves the memory before the paste is deleted.
 */
const isOnlyCopy = (method: string) => method !== 'GET' && method !== 'HEAD'

async function readPayload(payload: unknown, reply: FastifyReply): Promise<Buffer | null> {
  if (typeof payload === 'string') return Buffer.from(payload)
  if (Buffer.isBuffer(payload)) return payload
  // Comes last, because the first use of `Response` loads Node's HTTP client.
  if (!(payload instanceof Response) || payload.body === null) return null
  const body = Buffer.from(await payload.arrayBuffer())
  reply.code(payload.status)
  for (const [name, value] of payload.headers) reply.header(name, value)
  return body
}

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
