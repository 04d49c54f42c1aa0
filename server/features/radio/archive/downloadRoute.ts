import { once } from 'node:events'
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { withTimeout } from '#db/withTimeout.server.ts'
import type { Services } from '#server/core/context.ts'
import { errors, errorTexts } from '#server/core/errors.ts'
import { createNetworkBudget } from '#server/core/limits/networkBudget.ts'
import { SANDBOX } from '#server/core/security/headers.ts'
import { RadioUnavailable, type SourceRecording } from '#server/features/radio/types.ts'
import { archiveMessages } from '#src/contract/archive.ts'
import { radioMessages } from '#src/contract/radio.ts'
import { broadcastParams } from '#src/contract/radioForms.ts'
import { createContentDisposition } from './filename.ts'
import { limitBody } from './limitedBody.ts'
import { getRangeStart, parseContentRange, parseRange } from './rangeHeaders.ts'
import { findRecording, isNotFound } from './service.ts'

const PATH = '/api/radio/station/:stationId/streamer/:streamerId/broadcast/:broadcastId/download'

const DEFAULT_LIMITS = {
  /** guards visitors: a source that is silent for longer will not go on */
  stallMs: 20_000,
  /** guards connections to the source: a reader that takes nothing comes back for the rest, as a paused player does */
  idleMs: 120_000,
  /** guards sockets and the source: transfers at once, and those of one address */
  atOnce: 200,
  perAddress: 24,
}

/**
 * The recordings of the archive, for saving and for the player alike: passed on from the source in parts or whole.
 * What breaks off on the way cuts the connection, for an answer that ended would pass for a whole recording.
 */
export function registerRecordingDownload(
  app: FastifyInstance,
  { radio }: Pick<Services, 'radio'>,
  { stallMs, idleMs, atOnce, perAddress } = DEFAULT_LIMITS,
): void {
  const slots = createNetworkBudget({ perNetwork: perAddress, total: atOnce })
  const transfers = new Set<AbortController>()
  app.addHook('preClose', async () => {
    for (const stop of transfers) stop.abort()
  })
  // HEAD is a route of ours: the one the framework makes of a GET would read the whole recording.
  app.route({ method: ['GET', 'HEAD'], url: PATH, handler })

  async function handler(request: FastifyRequest, reply: FastifyReply) {
    const ids = broadcastParams.parse(request.params)
    const { filename, size } = await findRecording({ radio }, ids)
    const { signal, end } = acquireSlot(request.ip, reply.raw)
    try {
      const tag = `"${Object.values(ids).join('-')}-${size}"`
      const { range: wanted, 'if-range': ifRange = tag } = request.headers
      const isHead = request.method === 'HEAD'
      const range = isHead || ifRange !== tag ? undefined : parseRange(wanted)
      const recording = await radio.openRecording(ids, range, signal)
      if (recording.status === 416) return sendRangeNotSatisfiable(reply, recording, size)
      const part = validatePart(recording, range)
      const pieces = limitBody(recording.body, { length: part.length, stallMs, signal })
      // The first bytes are waited for before anything is sent, while a failure can still be told.
      const first = isHead ? null : await pieces.next()
      reply.headers({
        'content-type': safeContentType(recording.type),
        'content-disposition': createContentDisposition(filename),
        'accept-ranges': range && recording.status === 200 ? 'none' : 'bytes',
        'cache-control': 'private, no-store',
        'content-security-policy': SANDBOX,
        'x-content-type-options': 'nosniff',
        ...(part.length !== null && { 'content-length': part.length }),
        ...(part.range !== null && { 'content-range': part.range }),
        // With it a browser resumes what broke off; not for a file that is another than the list says.
        ...(part.total === size && { etag: tag }),
      })
      reply.hijack()
      reply.raw.writeHead(recording.status, reply.getHeaders() as OutgoingHttpHeaders)
      if (first?.value) await writeWithBackpressure(reply.raw, first.value, pieces, idleMs, signal)
      reply.raw.end()
    } catch (error) {
      if (!reply.raw.headersSent) throw toHttpError(error, signal)
      if (!signal.aborted) request.log.warn('a recording broke off')
      // What was written in this turn of the loop is not sent yet.
      setImmediate(() => reply.raw.destroy())
    } finally {
      end()
    }
  }

  /** Takes one of the places; it is free again, and the source let go, when the answer has ended in any way. */
  function acquireSlot(ip: string, response: ServerResponse) {
    // Its `close` came while the recording was looked up, and will not come again.
    if (response.closed) throw errors.badRequest(errorTexts.badRequest)
    const releaseSlot = slots.take(ip)
    if (!releaseSlot) {
      const refuse = slots.total() >= atOnce ? errors.unavailable : errors.tooMany
      throw refuse(archiveMessages.busy, { retryAfter: 30 })
    }
    const stop = new AbortController()
    transfers.add(stop)
    const end = () => {
      releaseSlot()
      transfers.delete(stop)
      stop.abort()
    }
    response.once('close', end)
    return { signal: stop.signal, end }
  }
}

/** Writes as fast as the reader takes it, and no faster. */
async function writeWithBackpressure(
  response: ServerResponse,
  first: Buffer,
  rest: AsyncIterable<Buffer>,
  idleMs: number,
  signal: AbortSignal,
): Promise<void> {
  const drained = () => withTimeout(once(response, 'drain', { signal }), idleMs)
  if (!response.write(first)) await drained()
  for await (const piece of rest) if (!response.write(piece)) await drained()
}

/** Length and total size of what comes; a source that sends something else than was asked for is of no use. */
function validatePart({ status, length, range }: SourceRecording, asked: string | undefined) {
  if (status === 200) return { length, total: length, range: null }
  const part = parseContentRange(range)
  const start = asked === undefined ? null : getRangeStart(asked)
  if (!part || asked === undefined || (start !== null && part.first !== start)) throw new RadioUnavailable()
  const span = part.last - part.first + 1
  if (length !== null && length !== span) throw new RadioUnavailable()
  return { length: span, total: part.total, range }
}

function sendRangeNotSatisfiable(reply: FastifyReply, { range }: SourceRecording, size: number) {
  const told = range && /^bytes \*\/\d{1,15}$/.test(range) ? range : `bytes */${size}`
  return reply
    .code(416)
    .headers({ 'content-range': told, 'cache-control': 'no-store' })
    .send({ success: false, error: archiveMessages.outOfReach })
}

/** A type the source names is believed for sound alone: nothing it sends can become a page of ours. */
function safeContentType(type: string): string {
  const [name = ''] = type.split(';')
  return /^audio\/[\w.+-]+$/i.test(name.trim()) ? name.trim().toLowerCase() : 'application/octet-stream'
}

function toHttpError(error: unknown, signal: AbortSignal): unknown {
  if (isNotFound(error)) return errors.notFound(archiveMessages.notFound)
  // A transfer that was ended has nobody left to be told, or the site is closing.
  if (error instanceof RadioUnavailable || signal.aborted) return errors.unavailable(radioMessages.unavailable)
  return error
}
