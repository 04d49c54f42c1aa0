import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { AnswerBudget } from '#server/core/limits/responseBudget.ts'

/** Smaller answers are not counted when nothing waits before them: the system's own buffers take them. */
const SMALL_BYTES = 16 * 1024
/** Headers that describe a body, and would be wrong for the refusal in its place. */
const OF_THE_BODY = ['content-encoding', 'content-disposition', 'etag', 'accept-ranges', 'x-delete-url']

type Waiting = { socket: Socket; response: ServerResponse; seen: string; seenAt: number }

export type UnreadAnswers = { watch: (request: IncomingMessage, response: ServerResponse) => void }

/**
 * Counts answers that are in memory as a whole until their clients have read them, and ends connections that read
 * nothing for a while. Streams wait for their readers and hold little; their connections have the longer idle time.
 * @param stallMs longest time without progress
 * @returns watches answers that are sent past the framework
 */
export function registerUnreadAnswers(
  app: FastifyInstance,
  budget: AnswerBudget,
  { stallMs, checkMs }: { stallMs: number; checkMs: number },
): UnreadAnswers {
  const waiting = new Set<Waiting>()

  function watch({ socket }: IncomingMessage, response: ServerResponse): void {
    if (!(socket instanceof Socket)) return
    const one = { socket, response, seen: '', seenAt: performance.now() }
    waiting.add(one)
    response.once('close', () => waiting.delete(one))
  }

  app.addHook('onRequest', ({ raw: request }, { raw: response }, done) => {
    if (response.closed) return done()
    response.once('close', budget.open(request))
    done()
  })
  app.addHook('onSend', async (request, reply, payload) => {
    const body = await bytesOf(payload)
    if (!body) return payload
    if (payload instanceof Response) {
      reply.code(payload.status)
      for (const [name, value] of payload.headers) reply.header(name, value)
    }
    const { socket } = reply.raw
    const isRead = socket !== null && socket.writableLength === 0
    try {
      budget.settle(request, isRead && body.length <= SMALL_BYTES ? 0 : body.length, isOwed(request.method))
    } catch (error) {
      for (const name of OF_THE_BODY) reply.removeHeader(name)
      throw error
    }
    if (body.length > SMALL_BYTES || !isRead) watch(request.raw, reply.raw)
    return body
  })

  const timer = setInterval(() => {
    const now = performance.now()
    for (const one of waiting) {
      const seen = progressOf(one.socket)
      if (seen === null || seen !== one.seen || !one.response.writableEnded) Object.assign(one, { seen, seenAt: now })
      // Reset: what the system keeps for the client goes too.
      else if (now - one.seenAt > stallMs) one.socket.resetAndDestroy()
    }
  }, checkMs).unref()
  app.addHook('onClose', async () => clearInterval(timer))
  return { watch }
}

/** What a request that changes something answers may exist only once, as a paste that is deleted when read. */
const isOwed = (method: string) => method !== 'GET' && method !== 'HEAD'

/** Returns an answer that is in memory as its bytes; null for a stream, which waits for its reader. */
async function bytesOf(payload: unknown): Promise<Buffer | null> {
  if (typeof payload === 'string') return Buffer.from(payload)
  if (Buffer.isBuffer(payload)) return payload
  return payload instanceof Response && payload.body !== null ? Buffer.from(await payload.arrayBuffer()) : null
}

/**
 * Returns how far a connection has sent what was written to it; null where nothing waits. Node counts a large buffer
 * as written only when its last byte is, so this asks the handle, as Node's own idle timer does.
 */
function progressOf(socket: Socket): string | null {
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize?: number } | null }
  return socket.writableLength === 0
    ? null
    : `${socket.bytesWritten} ${socket.writableLength} ${handle?.writeQueueSize}`
}
