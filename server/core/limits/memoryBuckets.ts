import { LRUCache } from 'lru-cache'
import type { EmptyBucket, TokenBucket } from './tokenBuckets.ts'

/**
 * Creates token buckets in memory, as `takeTokens` has them in the database: stores only the time when each is full. A key
 * beyond `maxKeys` starts again with a full bucket.
 * @param clock in ms
 */
export function createMemoryBuckets({ maxKeys, clock }: { maxKeys: number; clock: () => number }) {
  const fullAt = new LRUCache<string, number>({ max: maxKeys })

  return {
    /** Takes tokens from all buckets. @returns the first bucket that has too few: then nothing is taken */
    take(buckets: TokenBucket[]): EmptyBucket | null {
      const now = clock()
      const next = buckets.map(({ key, costMs }) => Math.max(fullAt.get(key) ?? now, now) + costMs)
      for (const [index, { capacityMs }] of buckets.entries()) {
        const waitMs = (next[index] ?? 0) - now - capacityMs
        if (waitMs > 0) return { index, waitMs }
      }
      for (const [index, { key }] of buckets.entries()) fullAt.set(key, next[index] ?? 0)
      return null
    },
  }
}
