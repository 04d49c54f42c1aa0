import type { FastifyBaseLogger } from 'fastify'
import { AppError } from '#server/core/errors.ts'
import { type RadioSource, RadioUnavailable } from './types.ts'

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
