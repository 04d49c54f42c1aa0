import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** Gets the bytes that came with the head of the request, too. */
export type TakeSource = (request: IncomingMessage, socket: Socket, early: Buffer) => void

/** A socket with the undocumented fields of Node's HTTP server. */
type HttpSocket = Socket & {
  parser?: { onIncoming: ((request: IncomingMessage, keepAlive: boolean) => number) | null } | null
  _httpMessage?: unknown
}

/**
 * Heads that Node's parser refuses, and what makes them readable. Other requests stay refused: a proxy could read their
 * lines differently, which allows request smuggling. A source has its connection for itself.
 */
const ODD_HEADS: { start: string; repair: (head: string) => string }[] = [
  // DarkIce ends lines with LF only, and sends a head in thirteen packets.
  {
    start: 'SOURCE ',
    repair: (head) => head.replace(/\r?\n/g, '\r\n'),
  },
  // butt sends the bytes of a title as they are.
  {
    start: 'GET /admin/metadata?',
    repair: (head) => head.replace(/(?<=^GET )[^\r\n]*(?= HTTP\/1\.[01]\r?\n)/, encodeRawBytes),
  },
]
const HEAD_END = /\r?\n\r?\n/
/** The limit of the HTTP server, which then refuses the head. */
const MAX_HEAD_BYTES = 16 * 1024
/** Tells Node's parser to stop after the head of the request. */
const STOP_PARSING = 2

/**
 * Lets programs of streamers connect to the HTTP server, although their requests are no valid HTTP. Reads the start of each
 * connection before the server does. After the head of a source, takes its connection from the server: the bodies of
 * sources have no length, so the parser would take their sound for the next request.
 * @returns a function that closes connections on which nothing has arrived yet, and stops reading starts
 */
export function acceptSources(
  server: Server,
  isTaken: (request: IncomingMessage) => boolean,
  onTake: TakeSource,
): () => void {
  const [accept] = server.listeners('connection') as ((socket: Socket) => void)[]
  if (!accept) throw new Error('the HTTP server accepts no connections')
  const waiting = new Set<Socket>()
  let isClosing = false
  const closeWaiting = () => {
    for (const socket of waiting) socket.destroy()
  }
  server.off('connection', accept)
  server.prependListener('connection', (socket: HttpSocket) => {
    const pass = () => {
      accept.call(server, socket)
      takeAfterHead(server, socket, isTaken, onTake)
    }
    if (isClosing) return pass()
    waiting.add(socket)
    socket.once('close', () => waiting.delete(socket))
    readStart(server, socket, (start) => {
      waiting.delete(socket)
      pass()
      socket.unshift(start)
      socket.resume()
    })
  })
  // Idle connections make room for new ones.
  server.on('drop', closeWaiting)
  return () => {
    isClosing = true
    closeWaiting()
  }
}

/** Reads a connection until its first request is one that the HTTP server can read. */
function readStart(server: Server, socket: Socket, onReadable: (start: Buffer) => void): void {
  let start: Buffer = Buffer.alloc(0)
  const timer = setTimeout(() => refuse('ERR_HTTP_REQUEST_TIMEOUT'), server.headersTimeout)
  const onEnd = () => (start.length > 0 ? refuse('HPE_INVALID_EOF_STATE') : socket.destroy())
  const onError = () => {}
  socket.on('data', push).on('end', onEnd).on('error', onError).on('close', stop)

  function push(packet: Buffer): void {
    start = start.length > 0 ? Buffer.concat([start, packet]) : packet
    const text = start.toString('latin1', 0, MAX_HEAD_BYTES)
    const odd = ODD_HEADS.find((one) => text.startsWith(one.start.slice(0, text.length)))
    const end = odd && HEAD_END.exec(text)
    if (odd && !end && start.length < MAX_HEAD_BYTES) return
    stop()
    socket.pause()
    if (!odd) return void onReadable(start)
    const length = end ? end.index + end[0].length : text.length
    onReadable(Buffer.concat([Buffer.from(odd.repair(text.slice(0, length)), 'latin1'), start.subarray(length)]))
  }

  function refuse(code: string): void {
    stop()
    socket.on('error', onError)
    server.emit('clientError', Object.assign(new Error('The head of a request is not complete'), { code }), socket)
  }

  function stop(): void {
    clearTimeout(timer)
    socket.off('data', push).off('end', onEnd).off('error', onError).off('close', stop)
  }
}

/** Uses the mechanism of protocol upgrades, which removes all timeouts and listeners of the server from the connection. */
function takeAfterHead(
  server: Server,
  socket: HttpSocket,
  isTaken: (request: IncomingMessage) => boolean,
  onTake: TakeSource,
): void {
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
}

const encodeRawBytes = (target: string) =>
  target.replace(/[^!-~]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)
