import { withTimeout } from '#db/withTimeout.server.ts'
import { RadioUnavailable } from '#server/features/radio/types.ts'

/**
 * Yields at most `length` bytes, because a client would read extra bytes as the next response.
 * @throws RadioUnavailable
 */
export async function* limitBody(
  body: AsyncIterable<Buffer>,
  { length, stallMs, signal }: { length: number | null; stallMs: number; signal: AbortSignal },
): AsyncGenerator<Buffer, void, undefined> {
  const source = body[Symbol.asyncIterator]()
  const createError = () => new RadioUnavailable(`source silent for ${stallMs} ms`)
  let remaining = length ?? Number.POSITIVE_INFINITY
  try {
    while (remaining > 0) {
      const { done, value } = await withTimeout(source.next(), stallMs, { signal, createError })
      if (done) break
      const chunk = value.length > remaining ? value.subarray(0, remaining) : value
      remaining -= chunk.length
      if (chunk.length > 0) yield chunk
    }
    if (length !== null && remaining > 0) throw new RadioUnavailable(`source ended ${remaining} bytes early`)
  } catch (error) {
    throw error instanceof RadioUnavailable
      ? error
      : new RadioUnavailable('source failed during the transfer', { cause: error })
  } finally {
    // Not awaited, because a stalled source might never settle this promise.
    source.return?.().catch(() => {})
  }
}
