import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** A socket with the undocumented fields of Node's HTTP server. */
type HttpSocket = Socket & {
  parser?: { onIncoming: ((request: IncomingMessage, keepAlive: boolean) => number) | null } | null
  _httpMessage?: unknown
}

/** Gets the bytes that came with the head of the request, too. */
export type TakeSource = (request: IncomingMessage, socket: Socket, early: Buffer) => void

/** Tells Node's parser to stop after the head of the request. */
const STOP_PARSING = 2

/**
 * Takes connections from the HTTP server after the head of a request. The bodies of sources have no length, so the
 * parser would take their sound for the next request. Uses the mechanism of protocol upgrades, which removes all
 * timeouts and listeners of the server from the connection.
 */
export function takeConnections(
  server: Server,
  isTaken: (request: IncomingMessage) => boolean,
  onTake: TakeSource,
): void {
  server.on('connection', (socket: HttpSocket) => {
    const { parser } = socket
    const onIncoming = parser?.onIncoming
    if (!parser || !onIncoming) return
    parser.onIncoming = (request, keepAlive) => {
      // Behind other requests of its connection, it is no source.
      if (socket._httpMessage || !isTaken(request)) return onIncoming(request, keepAlive)
      Object.assign(request, { upgrade: true })
      server.prependOnceListener('upgrade', (_request, _socket, early: Buffer) => onTake(request, socket, early))
      return STOP_PARSING
    }
  })
}
