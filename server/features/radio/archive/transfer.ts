import { RadioUnavailable } from '#server/features/radio/types.ts'

/**
 * Passes bytes on piece by piece, never more than was announced: what follows them would be read as another answer.
 * @param length bytes there have to be; null when nobody knows
 * @param stallMs how long the source may be silent
 * @throws RadioUnavailable when the source is silent for too long, fails or ends early, or `signal` aborts
 */
export async function* passOn(
  body: AsyncIterable<Buffer>,
  { length, stallMs, signal }: { length: number | null; stallMs: number; signal: AbortSignal },
): AsyncGenerator<Buffer, void, undefined> {
  const source = body[Symbol.asyncIterator]()
  let left = length ?? Number.POSITIVE_INFINITY
  try {
    while (left > 0) {
      const { done, value } = await within(source.next(), stallMs, signal)
      if (done) break
      const piece = value.length > left ? value.subarray(0, left) : value
      left -= piece.length
      if (piece.length > 0) yield piece
    }
    if (length !== null && left > 0) throw new RadioUnavailable(`ended ${left} bytes early`)
  } catch (error) {
    throw error instanceof RadioUnavailable ? error : new RadioUnavailable('failed on the way', { cause: error })
  } finally {
    // Not waited for: a source that is silent would not answer this either.
    source.return?.().catch(() => {})
  }
}

/**
 * What a promise gives, if it does so in time.
 * @throws RadioUnavailable when it takes longer, or `signal` aborts
 */
export function within<T>(promise: Promise<T>, ms: number, signal: AbortSignal): Promise<T> {
  let giveUp = () => {}
  const late = new Promise<never>((_, reject) => {
    const abort = () => reject(new RadioUnavailable('transfer ended'))
    const timer = setTimeout(() => reject(new RadioUnavailable(`nothing for ${ms} ms`)), ms)
    giveUp = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    }
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort)
  })
  return Promise.race([promise, late]).finally(giveUp)
}
