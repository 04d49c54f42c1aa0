import { IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { TakeSource } from './takeConnections.ts'

type ParserError = Error & { rawPacket?: Buffer }
type Listener = (error: ParserError, socket: Socket) => void
/** A socket with the undocumented parser of Node's HTTP server. */
type HttpSocket = Socket & { parser?: { remove: () => void; unconsume: () => void } | null; _httpMessage?: unknown }

const REQUEST_LINE = /^SOURCE (\S+) HTTP\/1\.[01]\r?\n/
const HEAD_END = /\r?\n\r?\n/
const MAX_HEAD_BYTES = 4096
const SERVER_EVENTS = ['data', 'end', 'close', 'drain', 'error', 'pause', 'resume', 'timeout']

/**
 * Takes sources whose heads have lines that end with LF only: DarkIce writes them, and Node's parser refuses them. The head
 * must be in one packet, as DarkIce sends it. Other requests with such lines stay refused: a proxy could read them
 * differently, which allows request smuggling.
 */
export function takeBareLineEnds(server: Server, onTake: TakeSource): void {
  const refusals = server.listeners('clientError') as Listener[]
  server.removeAllListeners('clientError')
  server.on('clientError', (error: ParserError, socket: Socket) => {
    const source = readSource(error.rawPacket, socket)
    if (source) {
      releaseSocket(socket)
      onTake(source.request, socket, source.early)
    } else {
      for (const refuse of refusals) refuse.call(server, error, socket)
    }
  })
}

function readSource(packet: Buffer | undefined, socket: HttpSocket) {
  // Behind other requests of its connection, it is no source.
  if (!packet || socket._httpMessage || !socket.parser) return null
  const text = packet.toString('latin1', 0, MAX_HEAD_BYTES)
  const [line, url] = REQUEST_LINE.exec(text) ?? []
  const end = HEAD_END.exec(text)
  if (!line || !end) return null
  const request = new IncomingMessage(socket)
  Object.assign(request, { method: 'SOURCE', url, httpVersion: '1.0' })
  for (const field of text.slice(line.length, end.index).split(/\r?\n/)) {
    const [name = '', ...value] = field.split(':')
    request.headers[name.trim().toLowerCase()] = value.join(':').trim()
  }
  return { request, early: packet.subarray(end.index + end[0].length) }
}

/** Removes the time limits and the listeners of the HTTP server. */
function releaseSocket(socket: HttpSocket): void {
  for (const event of SERVER_EVENTS) socket.removeAllListeners(event)
  socket.parser?.remove()
  socket.parser?.unconsume()
  socket.setTimeout(0)
}
