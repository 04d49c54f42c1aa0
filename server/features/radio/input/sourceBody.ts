import type { IncomingHttpHeaders } from 'node:http'

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
