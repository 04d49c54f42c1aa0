import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { hijack } from '#server/core/http/hijack.ts'
import { isFromUnknownProxy } from '#server/core/http/visitors.ts'
import { createNetworkBudget } from '#server/core/limits/networkBudget.ts'
import { READABLE } from '#server/core/security/headers.ts'
import type { RelayListener } from '#server/features/radio/types.ts'
import { refusal } from '#src/contract/refusal.ts'
import { createIcyMuxer, METADATA_INTERVAL } from './relay/icy.ts'

/** Limits how long a client may take to read the rest after the stream has ended. */
const END_TIMEOUT_MS = 5_000
const RETRY_AFTER_SECONDS = 30
/** Has metadata of its own. */
const OGG = 'audio/ogg'

type Request = FastifyRequest<{ Params: { stationId: string } }>

export function registerRadioStream(app: FastifyInstance, { radio, config }: Pick<Services, 'radio' | 'config'>): void {
  const url = '/radio/:stationId/stream'
  const slots = createNetworkBudget({ perNetwork: config.limits.radioListeners })
  const isLimited = (request: Request) => config.rateLimit && !isFromUnknownProxy(config, request)
  const streamingSockets = new WeakSet<object>()
  app.route({ method: 'GET', url, exposeHeadRoute: false, handler: sendStream })
  app.route({ method: 'HEAD', url, handler: sendHead })

  async function sendStream(request: Request, reply: FastifyReply) {
    const { socket } = request.raw
    // A pipelined request would wait forever behind an endless response and occupy a listener slot.
    if (streamingSockets.has(socket)) throw errors.unavailable(refusal('radio.unavailable'))
    const releaseSlot = isLimited(request) ? slots.take(request.ip) : () => {}
    if (!releaseSlot) throw errors.tooMany(refusal('radio.fullNetwork'), { retryAfter: RETRY_AFTER_SECONDS })
    reply.raw.once('close', releaseSlot)
    if (reply.raw.closed) releaseSlot()
    streamingSockets.add(socket)
    try {
      const stationId = parseStationId(request)
      const wantsTitles = request.headers['icy-metadata'] === '1'
      const { leave } = await radio.listen(stationId, createListener(reply, await describe(stationId), wantsTitles))
      reply.raw.once('close', leave)
      if (socket.destroyed) leave()
    } catch (error) {
      streamingSockets.delete(socket)
      throw error
    }
  }

  /** Returns headers for all players: VLC asks for titles only if it gets the name without asking. */
  async function describe(stationId: number): Promise<Record<string, string>> {
    const { stations } = await radio.stations()
    const name = stations.find(({ id }) => id === stationId)?.name ?? ''
    return { 'icy-pub': '0', ...(name && { 'icy-name': toHeader(name) }) }
  }

  async function sendHead(request: Request, reply: FastifyReply) {
    const stationId = parseStationId(request)
    const nowPlaying = await radio.nowPlaying(stationId)
    if (!nowPlaying.available) throw errors.unavailable(refusal('radio.unavailable'))
    startResponse(reply, radio.streamType(stationId), await describe(stationId)).end()
  }
}

function parseStationId({ params }: Request): number {
  if (!/^[1-9]\d{0,8}$/.test(params.stationId)) throw errors.notFound(refusal('radio.stationNotFound'))
  return Number(params.stationId)
}

/** Omits content length and chunked encoding: old players expect a body that ends with the connection. */
function startResponse(reply: FastifyReply, type: string | null, headers: Record<string, string>) {
  const raw = hijack(reply)
  raw.removeHeader('transfer-encoding')
  raw.writeHead(200, {
    ...(type && { 'content-type': type }),
    ...headers,
    'cache-control': 'no-store',
    'accept-ranges': 'none',
    // Pages of other sites may play the radio, also through Web Audio.
    ...READABLE,
    connection: 'close',
  })
  // Sends the headers at once. `flushHeaders` would encode them as UTF-8 once more.
  raw.write(Buffer.alloc(0))
  return raw
}

/** @param headers about the station */
function createListener(reply: FastifyReply, headers: Record<string, string>, wantsTitles: boolean): RelayListener {
  const { raw } = reply
  // Without this handler, an error event would crash the process. The `close` handler cleans up.
  raw.on('error', () => {})
  let insertTitle = (bytes: Buffer, _title: string | null) => bytes
  return {
    begin(type) {
      const hasTitles = wantsTitles && type !== OGG
      const mux = createIcyMuxer()
      if (hasTitles) insertTitle = (bytes, title) => mux(bytes, title ?? '')
      startResponse(reply, type, { ...headers, ...(hasTitles && { 'icy-metaint': String(METADATA_INTERVAL) }) })
    },
    write: (bytes, title) => {
      if (!raw.destroyed) raw.write(insertTitle(bytes, title))
    },
    bufferedBytes: () => raw.writableLength,
    end: () => {
      const timer = setTimeout(() => raw.destroy(), END_TIMEOUT_MS).unref()
      raw.once('close', () => clearTimeout(timer))
      raw.end()
    },
    // A reset immediately frees the kernel's send buffer, which can hold megabytes.
    drop: () => raw.socket?.resetAndDestroy(),
  }
}

/** Header values are bytes: players expect names in UTF-8. */
const toHeader = (text: string) => Buffer.from(text.replace(/[\p{Cc}\s]+/gu, ' ')).toString('latin1')
