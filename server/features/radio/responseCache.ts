import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { LRUCache } from 'lru-cache'
import { AppError } from '#server/core/errors.ts'
import { type RadioSource, RadioUnavailable } from './types.ts'

/** `at` is the time of arrival, in ms since 1970. */
export type CachedResponse<T> = { value: T; at: number }

type Entry<T> = {
  response: Promise<CachedResponse<T>>
  lastGood: CachedResponse<T> | null
  agesFrom: number
  expiresAt: number
}

/** How long answers with lists, such as tracks, are kept. */
export const LIST_CACHE = { ttlMs: 10_000, failureTtlMs: 3_000, ageFrom: 'response' } as const
/** Time for a new response, if there is an older one to fall back on. */
const FALLBACK_MS = 1_000

/**
 * Shares one response between concurrent requests for the same key. Caches failures, too.
 * @param options.isOutage whether the last good response stands in for this error, and for a response that takes long
 */
export function createResponseCache<K extends string | number, T>(options: {
  ttlMs: number
  failureTtlMs: number
  max: number
  ageFrom: 'request' | 'response'
  isOutage?: (error: unknown) => boolean
  now: () => Date
}) {
  const { ttlMs, failureTtlMs, max, ageFrom, isOutage, now } = options
  const entries = new LRUCache<K, Entry<T>>({ max })
  const time = () => now().getTime()

  // Setting the clock back must not extend an entry's lifetime.
  const isFresh = ({ agesFrom, expiresAt }: Entry<T>) => agesFrom <= time() && time() < expiresAt

  function send(request: () => Promise<T>, lastGood: CachedResponse<T> | null): Entry<T> {
    const response = Promise.resolve()
      .then(request)
      .then((value) => ({ value, at: time() }))
    const entry: Entry<T> = { response, lastGood, agesFrom: time(), expiresAt: Number.POSITIVE_INFINITY }
    const expireAfter = (ttl: number) => {
      if (ageFrom === 'response') entry.agesFrom = time()
      entry.expiresAt = entry.agesFrom + ttl
    }
    response.then(
      (good) => {
        if (isOutage) entry.lastGood = good
        expireAfter(ttlMs)
      },
      (error) => {
        if (!isOutage?.(error)) entry.lastGood = null
        expireAfter(failureTtlMs)
      },
    )
    return entry
  }

  function answer({ response, lastGood, expiresAt }: Entry<T>): Promise<CachedResponse<T>> {
    if (!lastGood) return response
    const isPending = expiresAt === Number.POSITIVE_INFINITY
    const answers = isPending ? [response, sleep(FALLBACK_MS, lastGood, { ref: false })] : [response]
    return Promise.race(answers).catch((error) => {
      if (isOutage?.(error)) return lastGood
      throw error
    })
  }

  return {
    get(key: K, request: () => Promise<T>): Promise<CachedResponse<T>> {
      const cached = entries.get(key)
      if (cached && isFresh(cached)) return answer(cached)
      const entry = send(request, cached?.lastGood ?? null)
      entries.set(key, entry)
      return answer(entry)
    },
    /** Makes the next `get` send a request. */
    expire(key: K): void {
      entries.delete(key)
    },
  }
}

/**
 * Wraps a source so that it throws only AppError or RadioUnavailable. Logs the first failure of a call and its
 * recovery.
 */
export function logFailures(
  source: RadioSource,
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>,
  failingCalls: Set<string>,
): RadioSource {
  const wrap =
    <A extends unknown[], T>(call: string, request: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      try {
        const answer = await request(...args)
        if (failingCalls.delete(call)) log.info({ call }, 'radio source recovered')
        return answer
      } catch (error) {
        const isAborted = args.some((arg) => arg instanceof AbortSignal && arg.aborted)
        if (error instanceof AppError || isAborted) throw error
        const isExpected = error instanceof RadioUnavailable
        if (!isExpected) log.error({ err: error, call }, 'radio source failed unexpectedly')
        else if (!failingCalls.has(call)) log.warn({ call, reason: error.message }, 'radio source is unavailable')
        failingCalls.add(call)
        throw isExpected ? error : new RadioUnavailable('source failed unexpectedly')
      }
    }
  return {
    ...source,
    stations: wrap('stations', (...args) => source.stations(...args)),
    nowPlaying: wrap('nowPlaying', (...args) => source.nowPlaying(...args)),
    streamers: wrap('streamers', (...args) => source.streamers(...args)),
    broadcasts: wrap('broadcasts', (...args) => source.broadcasts(...args)),
    openStream: wrap('stream', (...args) => source.openStream(...args)),
    openRecording: wrap('recording', (...args) => source.openRecording(...args)),
  }
}

/** Answers with `fallback` while the source is unavailable. */
export async function withFallback<T, F>(answer: Promise<T>, fallback: () => F): Promise<T | F> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof RadioUnavailable) return fallback()
    throw error
  }
}

/** Names a list, which is empty while the source is unavailable. */
export async function toAnswer<Name extends string, Item>(name: Name, list: Promise<Item[]>) {
  const items = await withFallback(list, () => null)
  return { [name]: items ?? [], available: items !== null } as Record<Name, Item[]> & { available: boolean }
}
