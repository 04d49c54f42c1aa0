import { LRUCache } from 'lru-cache'

/** `at` is the time of arrival, in ms since 1970. */
export type CachedResponse<T> = { value: T; at: number }

type Entry<T> = { response: Promise<CachedResponse<T>>; agesFrom: number; expiresAt: number }

/** Shares one response between concurrent requests for the same key. Caches failures, too. */
export function createResponseCache<K extends string | number, T>(options: {
  ttlMs: number
  failureTtlMs: number
  max: number
  ageFrom: 'request' | 'response'
  now: () => Date
}) {
  const { ttlMs, failureTtlMs, max, ageFrom, now } = options
  const entries = new LRUCache<K, Entry<T>>({ max })
  const time = () => now().getTime()

  // Setting the clock back must not extend an entry's lifetime.
  const isFresh = ({ agesFrom, expiresAt }: Entry<T>) => agesFrom <= time() && time() < expiresAt

  function send(request: () => Promise<T>): Entry<T> {
    const response = Promise.resolve()
      .then(request)
      .then((value) => ({ value, at: time() }))
    const entry: Entry<T> = { response, agesFrom: time(), expiresAt: Number.POSITIVE_INFINITY }
    const expireAfter = (ttl: number) => {
      if (ageFrom === 'response') entry.agesFrom = time()
      entry.expiresAt = entry.agesFrom + ttl
    }
    response.then(
      () => expireAfter(ttlMs),
      () => expireAfter(failureTtlMs),
    )
    return entry
  }

  return {
    get(key: K, request: () => Promise<T>): Promise<CachedResponse<T>> {
      const cached = entries.get(key)
      if (cached && isFresh(cached)) return cached.response
      const entry = send(request)
      entries.set(key, entry)
      return entry.response
    },
    delete: (key: K) => void entries.delete(key),
  }
}
