import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { getTRPCErrorFromUnknown, type TRPCError } from '@trpc/server'
import { getErrorShape } from '@trpc/server/shared'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import superjson from 'superjson'
import { type Context, createContext, type Services } from '#server/core/context.ts'
import { errors, publicError } from '#server/core/errors.ts'
import { hijack } from '#server/core/http/hijack.ts'
import { COST } from '#server/core/limits/requestCost.ts'
import { inputTransformer } from '#server/core/security/inputTransformer.ts'
import { appRouter, createCaller } from '#server/router.ts'
import type { SiteEvent } from '#src/contract/events.ts'
import { refusal } from '#src/contract/refusal.ts'
import { sendTrpcError } from './trpc.ts'

const PATH = 'site.events'
/** Ping interval: shorter than the usual idle timeouts of proxies. */
const PING_MS = 15_000
const RECONNECT_MS = 40_000
/** Disconnects a client that reads nothing for this long, because unread events use memory. */
const READ_TIMEOUT_MS = 30_000

const CONNECTED_EVENT = `event: connected\ndata: ${JSON.stringify({ reconnectAfterInactivityMs: RECONNECT_MS })}\n\n`
const PING_EVENT = 'event: ping\ndata: \n\n'
const RETURN_EVENT = 'event: return\ndata: \n\n'

type Query = { input?: unknown; lastEventId?: unknown }

/** Serializes each event once for all connections. tRPC's own streams are ten times as expensive. */
export function registerEventStream(app: FastifyInstance, services: Services): void {
  // tRPC already handles HEAD requests.
  app.route({
    method: 'GET',
    url: `/trpc/${PATH}`,
    exposeHeadRoute: false,
    handler: sendEvents,
    errorHandler: sendTrpcError,
  })

  async function sendEvents(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const context = createContext(services, request)
    const gone = new AbortController()
    const response = begin(reply, () => gone.abort())
    const ping = setInterval(() => {
      if (!response.writableNeedDrain) response.write(PING_EVENT)
    }, PING_MS)
    try {
      services.costs.charge(request, COST.eventConnection)
      const events = await createCaller(context, { signal: gone.signal }).site.events(readInput(request))
      for await (const { id, data } of events) {
        const bytes = Buffer.concat([Buffer.from(`id: ${id}\n`), serialize(data)])
        if (!response.write(bytes)) await waitForDrain(response, gone.signal)
      }
      response.end(RETURN_EVENT)
    } catch (thrown) {
      if (response.destroyed) return
      const error = getTRPCErrorFromUnknown(thrown)
      if (publicError(error).isServerFault) request.log.error({ err: error, path: PATH }, 'call failed')
      response.end(serializeError(error, context))
    } finally {
      clearInterval(ping)
    }
  }
}

/** Waits until the client has read the buffered events. Disconnects the client after READ_TIMEOUT_MS. */
async function waitForDrain(response: ServerResponse, gone: AbortSignal): Promise<void> {
  const disconnect = setTimeout(() => response.destroy(), READ_TIMEOUT_MS)
  await once(response, 'drain', { signal: gone }).finally(() => clearTimeout(disconnect))
}

function begin(reply: FastifyReply, onGone: () => void): ServerResponse {
  const raw = hijack(reply)
  // Without this handler, an error event would crash the process. The 'close' handler cleans up.
  raw.on('error', () => {})
  raw.once('close', onGone)
  if (raw.socket?.destroyed) onGone()
  raw.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    // Tells nginx not to buffer events.
    'x-accel-buffering': 'no',
    connection: 'close',
  })
  raw.write(CONNECTED_EVENT)
  return raw
}

/** Reads tRPC's input from the query. When a browser reconnects, it sends the last event id in a header. */
function readInput({ query, headers }: FastifyRequest): { topics: string[] } {
  const { input, lastEventId } = query as Query
  const seen = headers['last-event-id'] ?? lastEventId
  try {
    const given = inputTransformer.deserialize(JSON.parse(String(input)))
    return { ...(given as object), ...(seen !== undefined && { lastEventId: seen }) } as { topics: string[] }
  } catch {
    throw errors.badRequest(refusal('failure.badRequest'))
  }
}

const serializedEvents = new WeakMap<SiteEvent, Buffer>()

function serialize(event: SiteEvent): Buffer {
  const bytes = serializedEvents.get(event) ?? Buffer.from(`data: ${JSON.stringify(superjson.serialize(event))}\n\n`)
  serializedEvents.set(event, bytes)
  return bytes
}

function serializeError(error: TRPCError, ctx: Context): string {
  const config = appRouter._def._config
  const shape = getErrorShape({ config, error, type: 'subscription', path: PATH, input: undefined, ctx })
  return `event: serialized-error\ndata: ${JSON.stringify(superjson.serialize(shape))}\n\n`
}
