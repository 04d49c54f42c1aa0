import { IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { TakeSource } from './takeConnections.ts'

type ParserError = Error & { code?: string; rawPacket?: Buffer }
type Listener = (error: ParserError, socket: Socket) => void
/** A socket with the undocumented parser of Node's HTTP server. */
type HttpSocket = Socket & { parser?: { remove: () => void; unconsume: () => void } | null }

const METHOD = 'SOURCE '
const REQUEST_LINE = /^SOURCE (\S+) HTTP\/1\.[01]\r?\n/
const HEAD_END = /\r?\n\r?\n/
const MAX_HEAD_BYTES = 4096
const SERVER_EVENTS = ['data', 'end', 'close', 'drain', 'error', 'pause', 'resume', 'timeout']

type Release = () => void

/**
 * Takes sources whose heads have lines that end with LF only: DarkIce writes them, in many packets, and Node's parser
 * refuses them. Other requests with such lines stay refused: a proxy could read them differently, which allows request
 * smuggling.
 */
export function takeBareLineEnds(server: Server, onTake: TakeSource): void {
  const releases = new WeakMap<Socket, Release>()
  const starts = new WeakMap<Socket, Buffer[]>()
  const [accept] = server.listeners('connection') as ((socket: Socket) => void)[]
  if (!accept) throw new Error('the HTTP server accepts no connections')
  server.off('connection', accept)
  server.prependListener('connection', (socket: Socket) => {
    releases.set(
      socket,
      acceptReleasably(socket, () => accept.call(server, socket)),
    )
  })
  server.on('connection', (socket) => starts.set(socket, collectStart(socket)))
  const refusals = server.listeners('clientError') as Listener[]
  const refuse = (error: ParserError, socket: Socket) => {
    for (const refusal of refusals) refusal.call(server, error, socket)
  }
  server.removeAllListeners('clientError')
  server.on('clientError', (error: ParserError, socket: HttpSocket) => {
    const start = Buffer.concat([...(starts.get(socket) ?? []), error.rawPacket ?? Buffer.alloc(0)])
    // Behind other requests of its connection, it is no source.
    if (socket.parser && socket.bytesRead === start.length && REQUEST_LINE.test(headOf(start))) {
      releases.get(socket)?.()
      readHead(socket, start, server.headersTimeout, onTake, (code) => refuse(Object.assign(error, { code }), socket))
    } else {
      refuse(error, socket)
    }
  })
}

const headOf = (bytes: Buffer) => bytes.toString('latin1', 0, MAX_HEAD_BYTES)

/** Collects the packets that the parser accepts, as long as they can be the head of a source. */
function collectStart(socket: HttpSocket): Buffer[] {
  const packets: Buffer[] = []
  socket.on('data', function collect(packet: Buffer) {
    packets.push(packet)
    const start = headOf(Buffer.concat(packets)).slice(0, METHOD.length)
    if (socket.parser && METHOD.startsWith(start) && socket.bytesRead < MAX_HEAD_BYTES) return
    packets.length = 0
    socket.removeListener('data', collect)
  })
  return packets
}

/** Reads the rest of a head. @param onFail gets the code of the error with which Node's parser would refuse the head */
function readHead(
  socket: Socket,
  start: Buffer,
  timeoutMs: number,
  onTake: TakeSource,
  onFail: (code: string) => void,
): void {
  let bytes = start
  const timer = setTimeout(() => fail('ERR_HTTP_REQUEST_TIMEOUT'), timeoutMs)
  const onEnd = () => fail('HPE_INVALID_EOF_STATE')
  const onError = () => fail('ECONNRESET')
  socket.on('data', push).on('end', onEnd).on('error', onError)
  push(Buffer.alloc(0))

  function push(packet: Buffer): void {
    bytes = Buffer.concat([bytes, packet])
    const source = parseHead(bytes, socket)
    if (source) {
      stop()
      onTake(source.request, socket, source.early)
    } else if (bytes.length >= MAX_HEAD_BYTES) fail('HPE_HEADER_OVERFLOW')
  }

  function fail(code: string): void {
    stop()
    socket.on('error', () => {})
    onFail(code)
  }

  function stop(): void {
    clearTimeout(timer)
    // The next reader gets the packets that follow.
    socket.pause()
    socket.off('data', push).off('end', onEnd).off('error', onError)
  }
}

function parseHead(bytes: Buffer, socket: Socket): { request: IncomingMessage; early: Buffer } | null {
  const text = headOf(bytes)
  const [line, url] = REQUEST_LINE.exec(text) ?? []
  const end = HEAD_END.exec(text)
  if (!line || !end) return null
  const request = new IncomingMessage(socket)
  Object.assign(request, { method: 'SOURCE', url, httpVersion: '1.0' })
  for (const field of text.slice(line.length, end.index).split(/\r?\n/)) {
    const [name = '', ...value] = field.split(':')
    request.headers[name.trim().toLowerCase()] = value.join(':').trim()
  }
  return { request, early: bytes.subarray(end.index + end[0].length) }
}

/**
 * Lets the HTTP server accept a connection.
 * @returns a function that removes the time limits and the listeners of the HTTP server, and no others: a limit waits for
 * the end of the connection
 */
function acceptReleasably(socket: HttpSocket, accept: () => void): Release {
  const listListeners = () =>
    SERVER_EVENTS.flatMap((event) => socket.listeners(event).map((listener) => [event, listener] as const))
  const before = new Set(listListeners().map(([, listener]) => listener))
  accept()
  const added = listListeners().filter(([, listener]) => !before.has(listener))
  return () => {
    for (const [event, listener] of added) socket.removeListener(event, listener as () => void)
    socket.parser?.remove()
    socket.parser?.unconsume()
    socket.setTimeout(0)
  }
}
