import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { errors } from '#server/core/errors.ts'
import { createNetworkBudget } from '#server/core/limits/networkBudget.ts'
import { refusal } from '#src/contract/refusal.ts'

const SECOND = 1000

/** Limits slow clients: otherwise they could keep connections open until no other client can connect. */
export const CONNECTION_LIMITS = {
  /** maximum time for the request head, including the time before the first byte */
  headMs: 15 * SECOND,
  /** maximum time for a whole request: enough for 5 MiB over a bad mobile link (140 kbit/s) */
  requestMs: 300 * SECOND,
  /** maximum time without any bytes on a connection; the server pings event connections more often */
  idleMs: 120 * SECOND,
  keepAliveMs: 72 * SECOND,
  /** how often the server checks the times above */
  checkMs: 5 * SECOND,
  /** maximum time to discard the rest of a rejected body; some clients read the response only after the body */
  refusedBodyMs: 15 * SECOND,
  /** maximum bytes to discard of a rejected body: at full speed, gigabytes arrive in that time */
  refusedBodyBytes: 128 * 1024 * 1024,
  /** all connections except radio listeners */
  connections: 8000,
  /** per public IP address; enough for a lecture hall behind one router */
  connectionsPerAddress: 512,
  /** limits pipelined requests, because each can hold a file open; browsers do not pipeline */
  requestsPerConnection: 32,
}
export type ConnectionLimits = typeof CONNECTION_LIMITS

/** @param isBounded returns whether an address has a limit; false for a proxy, because many visitors share it */
export function registerConnectionLimits(
  app: FastifyInstance,
  { connections, connectionsPerAddress, requestsPerConnection }: ConnectionLimits,
  isBounded: (address: string) => boolean,
): void {
  const { server } = app
  server.maxConnections = connections
  // Close idle connections to make room for new connections.
  server.on('drop', () => server.closeIdleConnections())
  const budget = createNetworkBudget({ perNetwork: connectionsPerAddress })
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? ''
    if (!isBounded(address)) return
    const release = budget.take(address)
    if (!release) return void socket.destroy()
    socket.once('close', release)
  })

  const pipelined = new WeakMap<Socket, Set<ServerResponse>>()
  app.addHook('onRequest', ({ raw: { socket } }, { raw: response }, done) => {
    // Only the first of several pipelined responses has the socket.
    if (response.socket !== null) return done()
    const waiting = pipelined.get(socket) ?? trackPipeline(socket)
    if (waiting.size + 1 >= requestsPerConnection)
      return done(errors.tooMany(refusal('failure.tooManyAtOnce'), { retryAfter: 1 }))
    waiting.add(response)
    response.once('close', () => waiting.delete(response))
    done()
  })

  function trackPipeline(socket: Socket): Set<ServerResponse> {
    const waiting = new Set<ServerResponse>()
    pipelined.set(socket, waiting)
    // Node does not emit 'close' for responses that never got the socket, and their files would stay open.
    socket.once('close', () => {
      for (const response of waiting) response.destroy().emit('close')
    })
    return waiting
  }
}

/** Warns once about an untrusted proxy: all its visitors share one IP address and one set of rate limits. */
export function registerUntrustedProxyWarning(app: FastifyInstance): void {
  let isLogged = false
  app.addHook('onRequest', async (request) => {
    if (isLogged || request.headers['x-forwarded-for'] === undefined) return
    isLogged = true
    request.log.warn('X-Forwarded-For is ignored: name the proxy in TRUST_PROXY if it is yours')
  })
}
