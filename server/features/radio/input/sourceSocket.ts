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

/**
 * Decodes a request body as RFC 9112, section 6 describes, up to its last chunk. Sources usually send neither a length nor
 * chunks, and end with the connection.
 * @throws Error if the connection breaks or chunks are malformed
 */
export async function* readBody(headers: IncomingHttpHeaders, packets: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const isChunked = headers['transfer-encoding'] !== undefined
  const length = Number(headers['content-length'])
  // Some clients send a length of 0 or -1, although a stream follows.
  let left = isChunked ? 0 : length > 0 ? length : Number.POSITIVE_INFINITY
  let line = ''
  let isAfterChunk = false
  for await (const packet of packets) {
    for (let rest = packet; rest.length > 0; ) {
      if (left > 0) {
        const bytes = rest.subarray(0, left)
        rest = rest.subarray(bytes.length)
        left -= bytes.length
        yield bytes
        if (left === 0 && !isChunked) return
        isAfterChunk = true
        continue
      }
      const end = rest.indexOf('\n')
      line += rest.toString('latin1', 0, end < 0 ? rest.length : end)
      if (line.length > MAX_LINE) throw new Error('a line between chunks is too long')
      if (end < 0) break
      rest = rest.subarray(end + 1)
      if (isAfterChunk && line.trim() !== '') throw new Error('a chunk is longer than its size')
      if (!isAfterChunk) left = readSize(line)
      if (!isAfterChunk && left === 0) return
      line = ''
      isAfterChunk = false
    }
  }
}

function readSize(line: string): number {
  const [, size] = /^([\da-f]{1,8})\s*(?:;.*)?$/i.exec(line.trim()) ?? []
  if (size === undefined) throw new Error('a chunk has no size')
  return Number.parseInt(size, 16)
}
