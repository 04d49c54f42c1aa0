import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { ResponseBudget } from '#server/core/limits/responseBudget.ts'

/** Smaller responses are not counted if nothing else is queued: they fit into the system's buffers. */
const SMALL_BYTES = 16 * 1024
/** Headers to remove when an error replaces the body. */
const BODY_HEADERS = ['content-encoding', 'content-disposition', 'etag', 'accept-ranges', 'x-delete-url']

type Pending = { socket: Socket; response: ServerResponse; progress: string; progressAt: number }

export type SlowReaders = { watch: (request: IncomingMessage, response: ServerResponse) => void }

/**
 * Counts the memory of responses until clients have read them. Streams are not counted, because they have backpressure
 * and the idle timeout.
 * @param stallMs maximum time without progress @returns `watch` for responses that bypass Fastify
 */
export function registerSlowReaders(
  app: FastifyInstance,
  budget: ResponseBudget,
  { stallMs, checkMs }: { stallMs: number; checkMs: number },
): SlowReaders {
  const pending = new Set<Pending>()

  function watch({ socket }: IncomingMessage, response: ServerResponse): void {
    if (!(socket instanceof Socket)) return
    const entry = { socket, response, progress: '', progressAt: performance.now() }
    pending.add(entry)
    response.once('close', () => pending.delete(entry))
  }

  app.addHook('onRequest', ({ raw: request }, { raw: response }, done) => {
    if (response.closed) return done()
    // Plugins and Node's streams add about a dozen listeners to a response. The default limit of ten would log a
    // warning.
    response.setMaxListeners(20)
    response.once('close', budget.open(request))
    done()
  })
  app.addHook('onSend', async (request, reply, payload) => {
    const body = await readPayload(payload)
    if (!body) return payload
    if (payload instanceof Response) {
      reply.code(payload.status)
      for (const [name, value] of payload.headers) reply.header(name, value)
    }
    const { socket } = reply.raw
    const isRead = socket !== null && socket.writableLength === 0
    try {
      budget.settle(request, isRead && body.length <= SMALL_BYTES ? 0 : body.length, isOnlyCopy(request.method))
    } catch (error) {
      for (const name of BODY_HEADERS) reply.removeHeader(name)
      throw error
    }
    if (body.length > SMALL_BYTES || !isRead) watch(request.raw, reply.raw)
    return body
  })

  const timer = setInterval(() => {
    const now = performance.now()
    for (const entry of pending) {
      const progress = getProgress(entry.socket)
      if (progress === null || progress !== entry.progress || !entry.response.writableEnded) {
        Object.assign(entry, { progress, progressAt: now })
      }
      // A reset also frees the system's send buffer.
      else if (now - entry.progressAt > stallMs) entry.socket.resetAndDestroy()
    }
  }, checkMs).unref()
  app.addHook('onClose', async () => clearInterval(timer))
  return { watch }
}

/**
 * Responses to writes cannot be requested again, so they are sent even when the response budget is used up. For burning
 * pastes, `decryptPaste` reserves the memory before the paste is deleted.
 */
const isOnlyCopy = (method: string) => method !== 'GET' && method !== 'HEAD'

async function readPayload(payload: unknown): Promise<Buffer | null> {
  if (typeof payload === 'string') return Buffer.from(payload)
  if (Buffer.isBuffer(payload)) return payload
  return payload instanceof Response && payload.body !== null ? Buffer.from(await payload.arrayBuffer()) : null
}

/**
 * Returns null if nothing is queued. The handle shows progress within a large buffer: Node's own counts change only
 * after all of it is sent.
 */
function getProgress(socket: Socket): string | null {
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize?: number } | null }
  return socket.writableLength === 0
    ? null
    : `${socket.bytesWritten} ${socket.writableLength} ${handle?.writeQueueSize}`
}
