import type { FastifyRequest } from 'fastify'
import type { Config } from '#server/core/config/config.ts'
import type { Rate } from '#server/core/config/settingTypes.ts'
import { errors, errorTexts, tooSoon } from '#server/core/errors.ts'
import { isFromUnknownProxy } from '#server/core/http/unknownProxy.ts'
import { TOO_MANY_REQUESTS } from '#src/contract/limits.ts'
import { networksOf } from './networks.ts'

/** What answers cost, in units of about a millisecond of a core. What comes from memory costs nothing. */
export const COST = {
  /** a query or a few */
  call: 1,
  /** on top of that, a thread, a list of threads or a paste */
  largeAnswer: 10,
  eventConnection: 2,
  /** a page, feed or site map that is made for this request */
  render: 3,
} as const

/** Guards memory: a network that is forgotten has its whole burst again. */
const MAX_NETWORKS = 50_000
const SITE = 'site'

type Asking = Pick<FastifyRequest, 'ip' | 'headers' | 'socket'>

export type RequestCosts = {
  /**
   * Charges a visitor's networks and the whole site for an answer, before it is made; a refused one is charged nothing.
   * @throws AppError 429 where a network has used up its share, 503 where all visitors together have
   */
  charge(request: Asking, units: number): void
}

/**
 * Bounds what the requests of a network, and of all visitors together, may cost. Each count is a token bucket, kept as
 * the time at which it is full again.
 */
export function createRequestCosts(
  config: Pick<Config, 'rateLimit' | 'trustProxy'> & { limits: Pick<Config['limits'], 'requestCost'> },
  clock: () => number = () => performance.now(),
): RequestCosts {
  const { perNetwork, total } = config.limits.requestCost
  const fullAt = new Map<string, number>()

  return {
    charge(request, units) {
      if (!config.rateLimit) return
      const now = clock()
      const networks = isFromUnknownProxy(config, request) ? [] : networksOf(request.ip)
      const buckets = [
        ...networks.map(({ key, share }) => ({ key, ...chargeOf(perNetwork, units / share) })),
        { key: SITE, ...chargeOf(total, units) },
      ]
      const next = buckets.map(({ key, costMs }) => Math.max(fullAt.get(key) ?? now, now) + costMs)
      for (const [index, { key, wholeMs }] of buckets.entries()) {
        const waitMs = (next[index] ?? 0) - now - wholeMs
        if (waitMs <= 0) continue
        const retryAfter = Math.ceil(waitMs / 1000)
        throw key === SITE
          ? errors.unavailable(errorTexts.unavailable, { retryAfter })
          : tooSoon(TOO_MANY_REQUESTS, waitMs)
      }
      for (const [index, { key }] of buckets.entries()) fullAt.set(key, next[index] ?? 0)
      if (fullAt.size > MAX_NETWORKS) makeRoom(fullAt, now)
    },
  }
}

/** A cost larger than the whole burst takes the whole burst. */
function chargeOf({ burst, everySeconds }: Rate, units: number) {
  const wholeMs = burst * everySeconds * 1000
  return { wholeMs, costMs: Math.min(units * everySeconds * 1000, wholeMs) }
}

/** Forgets the buckets that are full again, and of the others the oldest, until half of the room is free. */
function makeRoom(fullAt: Map<string, number>, now: number): void {
  for (const [key, at] of fullAt) if (at <= now) fullAt.delete(key)
  for (const key of fullAt.keys()) {
    if (fullAt.size <= MAX_NETWORKS / 2) return
    if (key !== SITE) fullAt.delete(key)
  }
}
