import { type IncomingHttpHeaders, type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { publicError } from '#server/core/errors.ts'

/** Closes a refused connection after this time: some clients keep sending and read the answer late. */
const CLOSE_MS = 2000
/** How often a source that has to wait is asked whether it is still there. */
const PROBE_MS = 1000
export const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'

export const waitsForContinue = ({ headers, httpVersion }: IncomingMessage) =>
  httpVersion === '1.1' && /(?:^|\W)100-continue(?:$|\W)/i.test(headers.expect ?? '')

/** @param early bytes that came with the head */
export async function* packetsOf(socket: Socket, early: Buffer): AsyncGenerator<Buffer> {
  yield early
  // The response is written after the body.
  yield* socket.iterator({ destroyOnReturn: false })
}

/**
 * Writes to a source whose sound waits here: minutes of it can be in buffers of both machines, and the end of the
 * connection comes behind it. A machine whose program is gone answers with a reset.
 * @param bytes a part of the response that the program skips
 * @returns a function that stops it
 */
export function probe(socket: Socket, bytes: string, abort: AbortController): () => void {
  const timer = setInterval(() => {
    if (socket.readableLength > 0) socket.write(bytes)
  }, PROBE_MS).unref()
  const onClose = (hasError: boolean) => {
    clearInterval(timer)
    if (hasError) abort.abort(new Error('the connection broke'))
  }
  socket.once('close', onClose)
  return () => {
    clearInterval(timer)
    socket.off('close', onClose)
  }
}

export function refuse({ httpVersion }: IncomingMessage, socket: Socket, error: unknown): void {
  const { status, message, retryAfter } = publicError(error)
  const body = Buffer.from(`${message}\n`)
  const head = [
    `HTTP/${httpVersion === '1.1' ? '1.1' : '1.0'} ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${body.length}`,
    'Cache-Control: no-store',
    'Connection: close',
    ...(status === 401 ? ['WWW-Authenticate: Basic realm="live"'] : []),
    ...(retryAfter ? [`Retry-After: ${retryAfter}`] : []),
  ]
  close(socket, `${head.join('\r\n')}\r\n\r\n${body}`)
}

/** Sends the last bytes. Reads on for a moment: closing a connection with unread bytes would discard the answer. */
export function close(socket: Socket, answer: string): void {
  if (socket.destroyed) return
  socket.end(answer)
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), CLOSE_MS).unref()
  socket.once('close', () => clearTimeout(timer))
  socket.once('end', () => socket.destroySoon())
}

/** Limits the line with a chunk's size. Extensions of chunks are hardly used. */
const MAX_LINE = 100
const MAX_TRAILER_BYTES = 4096
const EMPTY = Buffer.alloc(0)

/**
 * Decodes a request body as RFC 9112, section 6 describes. Sources usually send neither a length nor chunks, and end with
 * the connection.
 * @throws Error if the connection breaks or chunks are malformed
 */
export async function* readBody(headers: IncomingHttpHeaders, packets: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const iterator = packets[Symbol.asyncIterator]()
  let rest: Buffer = EMPTY

  /** @returns false at the end of the connection */
  async function hasBytes(): Promise<boolean> {
    while (rest.length === 0) {
      const next = await iterator.next()
      if (next.done) return false
      rest = next.value
    }
    return true
  }

  async function* take(length: number): AsyncGenerator<Buffer> {
    for (let left = length; left > 0 && (await hasBytes()); ) {
      const bytes = rest.subarray(0, left)
      rest = rest.subarray(bytes.length)
      left -= bytes.length
      yield bytes
    }
  }

  /** @returns null at the end of the connection */
  async function takeLine(): Promise<string | null> {
    let line = ''
    while (await hasBytes()) {
      const end = rest.indexOf('\n')
      line += rest.toString('latin1', 0, end < 0 ? rest.length : end)
      rest = end < 0 ? EMPTY : rest.subarray(end + 1)
      if (line.length > MAX_LINE) throw new Error('a line between chunks is too long')
      if (end >= 0) return line.trim()
    }
    return null
  }

  try {
    if (headers['transfer-encoding'] === undefined) {
      const length = Number(headers['content-length'])
      // Some clients send a length of 0 or -1, although a stream follows.
      return yield* take(length > 0 ? length : Number.POSITIVE_INFINITY)
    }
    for (let length = Number.POSITIVE_INFINITY; length > 0; ) {
      const line = await takeLine()
      if (line === null) return
      const [, size] = /^([\da-f]{1,8})\s*(?:;.*)?$/i.exec(line) ?? []
      if (size === undefined) throw new Error('a chunk has no size')
      length = Number.parseInt(size, 16)
      yield* take(length)
      if (length > 0 && (await takeLine())) throw new Error('a chunk is longer than its size')
    }
    let trailer = await takeLine()
    for (let bytes = 0; trailer; trailer = await takeLine()) {
      bytes += trailer.length
      if (bytes > MAX_TRAILER_BYTES) throw new Error('the fields after the last chunk are too long')
    }
  } finally {
    await iterator.return?.()
  }
}
