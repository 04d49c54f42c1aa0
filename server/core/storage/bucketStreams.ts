import { Readable } from 'node:stream'
import { withTimeout } from '#db/withTimeout.server.ts'
import { createTimeoutError, toBucketError } from './bucketErrors.ts'

const CALL = 'the rest of GetObject'

/** Passes the body of an object on. Fails if the bucket stops sending for `stallMs`; a reader that pauses does not count. */
export function limitStalls(body: Readable, stallMs: number): Readable {
  const createError = () => createTimeoutError(CALL, stallMs)
  async function* read(): AsyncGenerator<Buffer> {
    const chunks = body[Symbol.asyncIterator]()
    try {
      for (;;) {
        const { done, value } = await withTimeout(chunks.next(), stallMs, { createError })
        if (done) return
        yield value
      }
    } catch (error) {
      throw toBucketError(CALL, error)
    }
  }
  const content = Readable.from(read(), { objectMode: false })
  // Ends the read from the bucket when a client leaves, even before the first byte.
  content.once('close', () => body.destroy())
  body.on('error', () => {})
  return content
}

/** Yields parts of the same size, as some servers require, and a smaller last one. */
export async function* splitIntoParts(content: AsyncIterable<Buffer>, partBytes: number): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = []
  let length = 0
  for await (const chunk of content) {
    chunks.push(chunk)
    length += chunk.length
    while (length >= partBytes) {
      const bytes = Buffer.concat(chunks)
      yield bytes.subarray(0, partBytes)
      chunks = [bytes.subarray(partBytes)]
      length -= partBytes
    }
  }
  if (length > 0) yield Buffer.concat(chunks)
}
