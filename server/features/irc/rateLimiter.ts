import { LRUCache } from 'lru-cache'
import type { Rate } from '#server/core/config/settingTypes.ts'

/** Limits memory. An evicted key starts again with a full bucket. */
const MAX_KEYS = 1000

/** Creates token buckets in memory. Stores only the time when each bucket will be full. @param clock in ms */
export function createRateLimiter({ burst, everySeconds }: Rate, clock: () => number) {
  const fullAt = new LRUCache<string, number>({ max: MAX_KEYS })
  const intervalMs = everySeconds * 1000
  const nextFullAt = (key: string) => Math.max(fullAt.get(key) ?? 0, clock()) + intervalMs

  /** Returns the time until the bucket has a token, in ms. */
  const waitMs = (key = '') => Math.max(0, nextFullAt(key) - clock() - burst * intervalMs)

  return {
    waitMs,
    /** Takes a token. @returns false if the bucket is empty */
    take(key = ''): boolean {
      if (waitMs(key) > 0) return false
      fullAt.set(key, nextFullAt(key))
      return true
    },
  }
}
