import type { IncomingHttpHeaders } from 'node:http'

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
