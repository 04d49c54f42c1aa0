import { withTimeout } from '#db/withTimeout.server.ts'
import { RadioUnavailable } from '#server/features/radio/types.ts'

/**
 * Yields at most `length` bytes: a client would read further bytes as another answer.
 * @param length expected bytes; null when unknown
 * @param stallMs how long the source may be silent
 * @throws RadioUnavailable when the source is silent for too long, fails or ends early, or `signal` aborts
 */
export async function* limitBody(
  body: AsyncIterable<Buffer>,
  { length, stallMs, signal }: { length: number | null; stallMs: number; signal: AbortSignal },
): AsyncGenerator<Buffer, void, undefined> {
  const source = body[Symbol.asyncIterator]()
  const createError = () => new RadioUnavailable(`source silent for ${stallMs} ms`)
  let left = length ?? Number.POSITIVE_INFINITY
  try {
    while (left > 0) {
      const { done, value } = await withTimeout(source.next(), stallMs, { signal, createError })
      if (done) break
      const piece = value.length > left ? value.subarray(0, left) : value
      left -= piece.length
      if (piece.length > 0) yield piece
    }
    if (length !== null && left > 0) throw new RadioUnavailable(`source ended ${left} bytes early`)
  } catch (error) {
    throw error instanceof RadioUnavailable
      ? error
      : new RadioUnavailable('source failed during the transfer', { cause: error })
  } finally {
    // Not awaited: a stalled source would not settle this either.
    source.return?.().catch(() => {})
  }
}
