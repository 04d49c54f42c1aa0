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

/** Ends without an error at the end of the body, and throws if the connection breaks or the body is malformed. */
export async function* readBody({ headers }: IncomingMessage, socket: Socket, early: Buffer): AsyncGenerator<Buffer> {
  const decoder = createBodyDecoder(headers)
  yield* decoder.push(early)
  if (decoder.isComplete()) return
  // The response is written after the body.
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    yield* decoder.push(chunk)
    if (decoder.isComplete()) return
  }
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
const MAX_SIZE_LINE = 100
const MAX_TRAILER_BYTES = 4096

type BodyDecoder = {
  /** @returns the bytes of the body @throws Error for malformed chunks */
  push(bytes: Buffer): Buffer[]
  /** whether the body is complete; a body without a length ends with the connection */
  isComplete(): boolean
}

/** Decodes a request body as RFC 9112, section 6 describes. Sources usually send neither a length nor chunks. */
export function createBodyDecoder(headers: IncomingHttpHeaders): BodyDecoder {
  if (headers['transfer-encoding'] !== undefined) return createChunkedDecoder()
  const length = headers['content-length']
  // Some clients send a length of 0 or -1, although a stream follows.
  return createLengthDecoder(length !== undefined && Number(length) > 0 ? Number(length) : Number.POSITIVE_INFINITY)
}

function createLengthDecoder(length: number): BodyDecoder {
  let left = length
  return {
    push(bytes) {
      const body = bytes.subarray(0, left)
      left -= body.length
      return body.length > 0 ? [body] : []
    },
    isComplete: () => left === 0,
  }
}

function createChunkedDecoder(): BodyDecoder {
  let state: 'size' | 'data' | 'data-end' | 'trailer' | 'done' = 'size'
  let line = ''
  let left = 0
  let trailerBytes = 0

  function endLine(): void {
    const text = line.trim()
    line = ''
    if (state === 'data-end') {
      if (text !== '') throw new Error('a chunk is longer than its size')
      state = 'size'
    } else if (state === 'trailer') {
      if (text === '') state = 'done'
    } else {
      const [, size] = /^([\da-f]{1,8})\s*(?:;.*)?$/i.exec(text) ?? []
      if (size === undefined) throw new Error('a chunk has no size')
      left = Number.parseInt(size, 16)
      state = left > 0 ? 'data' : 'trailer'
    }
  }

  return {
    push(bytes) {
      const body: Buffer[] = []
      for (let at = 0; at < bytes.length && state !== 'done'; ) {
        if (state === 'data') {
          const data = bytes.subarray(at, at + left)
          body.push(data)
          at += data.length
          left -= data.length
          if (left === 0) state = 'data-end'
          continue
        }
        const end = bytes.indexOf('\n', at)
        const piece = bytes.toString('latin1', at, end < 0 ? bytes.length : end)
        at += piece.length + (end < 0 ? 0 : 1)
        line += piece
        if (state === 'trailer') trailerBytes += piece.length + 1
        if (line.length > MAX_SIZE_LINE || trailerBytes > MAX_TRAILER_BYTES) throw new Error('a chunk has no size')
        if (end >= 0) endLine()
      }
      return body
    },
    isComplete: () => state === 'done',
  }
}
