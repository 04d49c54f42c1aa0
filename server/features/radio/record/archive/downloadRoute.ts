import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { withTimeout } from '#db/withTimeout.server.ts'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { parseRange } from '#server/core/http/byteRange.ts'
import { hijack } from '#server/core/http/hijack.ts'
import { createNetworkBudget } from '#server/core/limits/networkBudget.ts'
import { COST } from '#server/core/limits/requestCost.ts'
import { SANDBOX } from '#server/core/security/headers.ts'
import { RadioUnavailable } from '#server/features/radio/types.ts'
import { broadcastParams } from '#src/contract/radio.ts'
import { refusal } from '#src/contract/refusal.ts'
import { refusalText } from '#src/i18n/refusalText.ts'
import { createContentDisposition, findRecording, isNotFound } from './service.ts'

const PATH = '/api/radio/station/:stationId/streamer/:streamerId/broadcast/:broadcastId/download'
/** `enclosurePath` of the contract; find-my-way tests the pattern against the segment up to the dot. */
const ENCLOSURE_PATH =
  '/archive/recording/:stationId/:streamerId/:broadcastId(^\\d{1,15}).:extension(^(?:mp3|ogg|aac)$)'

const DEFAULT_LIMITS = {
  stallMs: 20_000,
  /** Disconnects clients that stop reading, to free the source connection. They can resume with a range request. */
  idleMs: 120_000,
  maxDownloads: 200,
  maxPerNetwork: 24,
}

/**
 * Registers the download route. If the source fails midway, the server cuts the connection. Otherwise the client would
 * take a partial file for the whole recording.
 */
export function registerRecordingDownload(
  app: FastifyInstance,
  { radio, costs }: Pick<Services, 'radio' | 'costs'>,
  { stallMs, idleMs, maxDownloads, maxPerNetwork } = DEFAULT_LIMITS,
): void {
  const slots = createNetworkBudget({ perNetwork: maxPerNetwork, total: maxDownloads })
  const transfers = new Set<AbortController>()
  app.addHook('preClose', async () => {
    for (const controller of transfers) controller.abort()
  })
  // Includes HEAD, because Fastify's own HEAD route would read the whole recording.
  for (const url of [PATH, ENCLOSURE_PATH]) app.route({ method: ['GET', 'HEAD'], url, handler })

  async function handler(request: FastifyRequest, reply: FastifyReply) {
    const ids = broadcastParams.parse(request.params)
    // The lists with the recording are read for each range.
    costs.charge(request, COST.call)
    const { filename, size } = await findRecording({ radio }, ids)
    const { signal, end: release } = acquireSlot(request.ip, reply.raw)
    try {
      const tag = `"${Object.values(ids).join('-')}-${size}"`
      const { range: rangeHeader, 'if-range': ifRange = tag } = request.headers
      const isHead = request.method === 'HEAD'
      const part = parseRange(size, isHead || ifRange !== tag ? undefined : rangeHeader)
      if (part.status === 416) return sendRangeNotSatisfiable(reply, part.range)
      const isRequested = part.status === 206
      const range = isRequested ? { start: part.start, end: part.start + part.length - 1 } : null
      const recording = await radio.openRecording(ids, range, signal)
      if (range && recording.size !== null && range.start >= recording.size)
        return sendRangeNotSatisfiable(reply, `bytes */${recording.size}`)
      const end = Math.min(range?.end ?? 0, (recording.size ?? Number.POSITIVE_INFINITY) - 1)
      const length = recording.isPart && range ? end - range.start + 1 : recording.size
      const begin = () => {
        reply.headers({
          'content-type': safeContentType(recording.type),
          'content-disposition': createContentDisposition(filename),
          'accept-ranges': isRequested && !recording.isPart ? 'none' : 'bytes',
          'cache-control': 'private, no-store',
          'content-security-policy': SANDBOX,
          // Podcasts are played by pages of other sites.
          'cross-origin-resource-policy': 'cross-origin',
          'x-content-type-options': 'nosniff',
          ...(length !== null && { 'content-length': length }),
          ...(range && recording.isPart && { 'content-range': `bytes ${range.start}-${end}/${recording.size ?? '*'}` }),
          // The ETag contains the listed size. A file of another size gets no ETag, so browsers do not resume it.
          ...(recording.size === size && { etag: tag }),
        })
        hijack(reply).writeHead(recording.isPart ? 206 : 200)
      }
      const response = reply.raw
      // Begins with the first bytes, because afterwards the server cannot send an error status.
      for await (const chunk of isHead ? [] : limitBody(recording.body, { length, stallMs, signal })) {
        if (!response.headersSent) begin()
        if (!response.write(chunk)) await withTimeout(once(response, 'drain', { signal }), idleMs)
      }
      if (!response.headersSent) begin()
      response.end()
    } catch (error) {
      if (!reply.raw.headersSent) throw toHttpError(error, signal)
      if (!signal.aborted) request.log.warn('recording download failed')
      // Destroy in the next tick, so that data already written is flushed.
      setImmediate(() => reply.raw.destroy())
    } finally {
      release()
    }
  }

  function acquireSlot(ip: string, response: ServerResponse) {
    // If the client has already disconnected, `close` never fires, so the slot would stay taken.
    if (response.closed) throw errors.badRequest(refusal('failure.badRequest'))
    const releaseSlot = slots.take(ip)
    if (!releaseSlot) {
      const refuse = slots.total() >= maxDownloads ? errors.unavailable : errors.tooMany
      throw refuse(refusal('archive.busy'), { retryAfter: 30 })
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

/**
 * Yields at most `length` bytes, because a client would read extra bytes as the next response.
 * @throws RadioUnavailable
 */
async function* limitBody(
  body: AsyncIterable<Buffer>,
  { length, stallMs, signal }: { length: number | null; stallMs: number; signal: AbortSignal },
): AsyncGenerator<Buffer, void, undefined> {
  const source = body[Symbol.asyncIterator]()
  const createError = () => new RadioUnavailable(`source silent for ${stallMs} ms`)
  let remaining = length ?? Number.POSITIVE_INFINITY
  try {
    while (remaining > 0) {
      const { done, value } = await withTimeout(source.next(), stallMs, { signal, createError })
      if (done) break
      const chunk = value.length > remaining ? value.subarray(0, remaining) : value
      remaining -= chunk.length
      if (chunk.length > 0) yield chunk
    }
    if (length !== null && remaining > 0) throw new RadioUnavailable(`source ended ${remaining} bytes early`)
  } catch (error) {
    throw error instanceof RadioUnavailable
      ? error
      : new RadioUnavailable('source failed during the transfer', error as Error)
  } finally {
    // Not awaited, because a stalled source might never settle this promise.
    source.return?.().catch(() => {})
  }
}

function sendRangeNotSatisfiable(reply: FastifyReply, range: string) {
  return reply
    .code(416)
    .headers({ 'content-range': range, 'cache-control': 'no-store' })
    .send({ success: false, error: refusalText(refusal('archive.outOfReach')) })
}

/** Allows only audio types, so that the source cannot serve HTML pages from this origin. */
function safeContentType(type: string): string {
  const [name = ''] = type.split(';')
  return /^audio\/[\w.+-]+$/i.test(name.trim()) ? name.trim().toLowerCase() : 'application/octet-stream'
}

function toHttpError(error: unknown, signal: AbortSignal): unknown {
  if (isNotFound(error)) return errors.notFound(refusal('archive.notFound'))
  return signal.aborted ? errors.unavailable(refusal('radio.unavailable')) : error
}
