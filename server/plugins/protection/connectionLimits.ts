import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { errors } from '#server/core/errors.ts'
import type { DoorBounds } from '#server/core/limits/connectionLimits.ts'
import { createNetworkBudget } from '#server/core/limits/networkBudget.ts'

const TOO_MANY = 'Too many requests at once over one connection'

/**
 * Bounds the connections there are, those of one address, and what is asked for at once over one. Behind a proxy that
 * is named as one all are the proxy's, which bounds its visitors itself; one that is not named stands in the same
 * network, so what is not public goes free.
 * @param isBounded which addresses may have only their share
 */
export function registerConnections(
  app: FastifyInstance,
  { connections, connectionsPerAddress, requestsPerConnection }: DoorBounds,
  isBounded: (address: string) => boolean,
): void {
  const { server } = app
  server.maxConnections = connections
  // Those that only wait for a next request make room for who could not get in.
  server.on('drop', () => server.closeIdleConnections())
  const budget = createNetworkBudget({ perNetwork: connectionsPerAddress })
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? ''
    if (!isBounded(address)) return
    const giveBack = budget.take(address)
    if (!giveBack) return void socket.destroy()
    socket.once('close', giveBack)
  })

  const behind = new WeakMap<Socket, Set<ServerResponse>>()
  app.addHook('onRequest', ({ raw: { socket } }, { raw: response }, done) => {
    // Whose turn it is has the connection; the others wait behind it.
    if (response.socket !== null) return done()
    const waiting = behind.get(socket) ?? waitBehind(socket)
    if (waiting.size + 1 >= requestsPerConnection) return done(errors.tooMany(TOO_MANY, { retryAfter: 1 }))
    waiting.add(response)
    response.once('close', () => waiting.delete(response))
    done()
  })

  function waitBehind(socket: Socket): Set<ServerResponse> {
    const waiting = new Set<ServerResponse>()
    behind.set(socket, waiting)
    // An answer whose turn never came is not told of the end: files and counts behind it would stay open.
    socket.once('close', () => {
      for (const response of waiting) response.destroy().emit('close')
    })
    return waiting
  }
}
