import { withTimeout } from '#db/withTimeout.server.ts'
import { RadioUnavailable } from '#server/features/radio/types.ts'

/** Matches a single byte range (RFC 9110). The server ignores other units and multiple ranges. */
const ONE_RANGE = /^bytes=(\d{1,15})?-(\d{1,15})?$/i

/** Returns a Range header that can be forwarded unchanged, or undefined if the server must send the whole file. */
export function parseRange(header: string | undefined): string | undefined {
  const [, first, last] = ONE_RANGE.exec(header ?? '') ?? []
  if (first === undefined && last === undefined) return undefined
  return first !== undefined && last !== undefined && Number(last) < Number(first) ? undefined : header
}

/** Returns the first requested byte. Returns null for a suffix range, because its start depends on the file size. */
export function getRangeStart(range: string): number | null {
  const first = ONE_RANGE.exec(range)?.[1]
  return first === undefined ? null : Number(first)
}

export function parseContentRange(header: string | null): { first: number; last: number; total: number | null } | null {
  const parts = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/.exec(header ?? '')
  if (!parts) return null
  const [first, last, total] = [Number(parts[1]), Number(parts[2]), parts[3] === '*' ? null : Number(parts[3])]
  return last < first || (total !== null && last >= total) ? null : { first, last, total }
}

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
