import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { isFromUnnamedProxy } from '#server/core/http/unknownProxy.ts'
import { createNetworkBudget } from '#server/core/limits/networkBudget.ts'
import { radioMessages } from '#src/contract/radio.ts'
import { RadioUnavailable, type RelayListener } from './types.ts'

/** Guards sockets: what a listener has not taken so long after the end is thrown away. */
const END_TIMEOUT_MS = 5_000
/** Seconds after which somebody else of a network may have stopped listening. */
const RETRY_AFTER_SECONDS = 30

type Request = FastifyRequest<{ Params: { stationId: string } }>

/** Our relay of the stations: sound without end, the same bytes for everybody, over connections that end with it. */
export function registerRadioStream(app: FastifyInstance, { radio, config }: Pick<Services, 'radio' | 'config'>): void {
  const url = '/radio/:stationId/stream'
  const slots = createNetworkBudget({ perNetwork: config.limits.radioListeners })
  const isLimited = (request: Request) => config.rateLimit && !isFromUnnamedProxy(config, request)
  const streamingSockets = new WeakSet<object>()
  app.route({ method: 'GET', url, exposeHeadRoute: false, handler: sendStream })
  app.route({ method: 'HEAD', url, handler: sendHead })

  async function sendStream(request: Request, reply: FastifyReply) {
    const { socket } = request.raw
    // Guards the cap: what is asked for behind an answer without an end would never be answered.
    if (streamingSockets.has(socket)) throw errors.unavailable(radioMessages.unavailable)
    const releaseSlot = isLimited(request) ? slots.take(request.ip) : () => {}
    if (!releaseSlot) throw errors.tooMany(radioMessages.fullNetwork, { retryAfter: RETRY_AFTER_SECONDS })
    reply.raw.once('close', releaseSlot)
    if (reply.raw.closed) releaseSlot()
    streamingSockets.add(socket)
    try {
      const listener = createListener(reply)
      const { type, leave } = await convertUnavailable(() => radio.listen(parseStationId(request), listener))
      reply.raw.once('close', leave)
      startResponse(reply, type)
      if (socket.destroyed) leave()
    } catch (error) {
      streamingSockets.delete(socket)
      throw error
    }
  }

  /** Opens no stream: whether there is one to open is what the radio already knows. */
  async function sendHead(request: Request, reply: FastifyReply) {
    const nowPlaying = await convertUnavailable(() => radio.nowPlaying(parseStationId(request)))
    if (!nowPlaying.available) throw errors.unavailable(radioMessages.unavailable)
    startResponse(reply).end()
  }
}

function parseStationId({ params }: Request): number {
  if (!/^[1-9]\d{0,8}$/.test(params.stationId)) throw errors.notFound(radioMessages.stationNotFound)
  return Number(params.stationId)
}

async function convertUnavailable<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw error instanceof RadioUnavailable ? errors.unavailable(radioMessages.unavailable) : error
  }
}

/**
 * Sends the head of an answer that ends with its connection: so old players understand it, and pieces need no frames
 * of their own. A range is not looked at: there is no beginning that it could count from.
 */
function startResponse(reply: FastifyReply, type?: string) {
  reply.hijack()
  const { raw } = reply
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value)
  raw.removeHeader('transfer-encoding')
  raw.writeHead(200, {
    ...(type && { 'content-type': type }),
    'cache-control': 'no-store',
    'accept-ranges': 'none',
    connection: 'close',
  })
  raw.flushHeaders()
  return raw
}

function createListener({ raw }: FastifyReply): RelayListener {
  // Its end is learnt from 'close'; an error without a listener would end the process.
  raw.on('error', () => {})
  return {
    write: (bytes) => {
      if (!raw.destroyed) raw.write(bytes)
    },
    bufferedBytes: () => raw.writableLength,
    end: () => {
      const timer = setTimeout(() => raw.destroy(), END_TIMEOUT_MS).unref()
      raw.once('close', () => clearTimeout(timer))
      raw.end()
    },
    // Reset: what the system keeps for it, megabytes, would be kept until it is taken.
    drop: () => raw.socket?.resetAndDestroy(),
  }
}
