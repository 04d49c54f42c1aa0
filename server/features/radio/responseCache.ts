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
  /** null while the request runs */
  settledAt: number | null
  ttlMs: number
}

const LIST_MS = 10_000
const FAILURE_MS = 3_000
/** Time for a new response, if there is an older one to fall back on. */
const FALLBACK_MS = 1_000

/**
 * Shares one response between concurrent requests for the same key. Caches failures, too.
 * @param options.keepsGood whether the last good response stands in for an outage, and for a response that takes long
 */
export function createResponseCache<K extends string | number, T>(options: {
  ttlMs?: number
  failureMs?: number
  max: number
  keepsGood?: boolean
  now: () => Date
}) {
  const { ttlMs = LIST_MS, failureMs = FAILURE_MS, max, keepsGood = false, now } = options
  const entries = new LRUCache<K, Entry<T>>({ max })
  const time = () => now().getTime()

  // Setting the clock back must not extend an entry's lifetime.
  const isFresh = ({ settledAt, ttlMs }: Entry<T>) =>
    settledAt === null || (settledAt <= time() && time() < settledAt + ttlMs)

  function send(request: () => Promise<T>, lastGood: CachedResponse<T> | null): Entry<T> {
    const response = Promise.resolve()
      .then(request)
      .then((value) => ({ value, at: time() }))
    const entry: Entry<T> = { response, lastGood, settledAt: null, ttlMs }
    response.then(
      (good) => Object.assign(entry, { settledAt: time(), lastGood: keepsGood ? good : null }),
      (error) => Object.assign(entry, { settledAt: time(), ttlMs: failureMs }, !isOutage(error) && { lastGood: null }),
    )
    return entry
  }

  async function answer({ response, lastGood, settledAt }: Entry<T>): Promise<CachedResponse<T>> {
    if (!lastGood) return response
    const slow = settledAt === null ? [sleep(FALLBACK_MS, lastGood, { ref: false })] : []
    return Promise.race([response, ...slow]).catch((error) => {
      if (isOutage(error)) return lastGood
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
    /** Returns the last good response, also an old one, if the cache keeps it. */
    lastGood: (key: K): CachedResponse<T> | null => entries.peek(key)?.lastGood ?? null,
    /** Makes the next `get` send a request. */
    expire(key: K): void {
      entries.delete(key)
    },
  }
}

const isOutage = (error: unknown): error is RadioUnavailable => error instanceof RadioUnavailable

/**
 * Wraps a source so that it throws only AppErrors, among them RadioUnavailable. Logs the first failure of a call and its
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
        if ((error instanceof AppError && !isOutage(error)) || isAborted) throw error
        if (!isOutage(error)) log.error({ err: error, call }, 'radio source failed unexpectedly')
        else if (!failingCalls.has(call)) log.warn({ call, reason: error.reason }, 'radio source is unavailable')
        failingCalls.add(call)
        throw isOutage(error) ? error : new RadioUnavailable('source failed unexpectedly')
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
    if (isOutage(error)) return fallback()
    throw error
  }
}

/** Names a list, which is empty while the source is unavailable. */
export async function toAnswer<Name extends string, Item>(name: Name, list: Promise<Item[]>) {
  const items = await withFallback(list, () => null)
  return { [name]: items ?? [], available: items !== null } as Record<Name, Item[]> & { available: boolean }
}
