import { buffer } from 'node:stream/consumers'
import type { Bucket } from './bucket.ts'
import { BucketError } from './bucketErrors.ts'

/** Two ranges are in memory at once. */
const RANGE_BYTES = 8 * 1024 * 1024
/** per range; the client repeats only calls that fail before the first byte */
const ATTEMPTS = 3

/** Reads a large object in ranges, each whole: slow readers and lost connections then do not end the read. */
export async function* readInRanges(
  { find, get }: Pick<Bucket, 'find' | 'get'>,
  key: string,
  rangeBytes = RANGE_BYTES,
): AsyncGenerator<Buffer> {
  const size = (await find(key))?.size ?? 0
  if (size === 0) throw new BucketError('The bucket does not have the object', 'NoSuchKey', 404)
  for (let start = 0; start < size; start += rangeBytes) {
    yield await readRange({ start, end: Math.min(size, start + rangeBytes) - 1 })
  }

  async function readRange(range: { start: number; end: number }, attempt = 1): Promise<Buffer> {
    try {
      const part = await get(key, range)
      if (!part) throw new BucketError('The object was removed from the bucket', 'NoSuchKey', 404)
      return await buffer(part.content)
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
      return readRange(range, attempt + 1)
    }
  }
}
