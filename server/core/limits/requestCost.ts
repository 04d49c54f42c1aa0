import type { FastifyRequest } from 'fastify'
import type { Config } from '#server/core/config/config.ts'
import type { Rate } from '#server/core/config/settingTypes.ts'
import { errors, tooSoon } from '#server/core/errors.ts'
import { isFromUnknownProxy } from '#server/core/http/visitors.ts'
import { isPublicAddress } from '#server/core/security/publicAddress.ts'
import { refusal } from '#src/contract/refusal.ts'
import { networksOf, widestNetworkOf } from './networks.ts'
import { createSemaphore } from './semaphore.ts'
import { createMemoryBuckets } from './tokenBuckets.ts'

/** Costs per response. One unit is about 1 ms of CPU time. Cached responses are free. */
export const COST = {
  /** a call with a few queries */
  call: 1,
  /** extra cost for a thread, a thread list or a paste */
  largeAnswer: 10,
  eventConnection: 2,
  /** rendering a page, a feed or the site map */
  render: 3,
  /** drawing an image for link previews */
  card: 100,
  /** each image of a post after the first one */
  furtherImage: 100,
  /** each megapixel of a large image, counting all frames; see `imageUnits` */
  imageMegapixel: 25,
} as const

/** Limits memory. An evicted network starts again with a full bucket. */
const MAX_NETWORKS = 50_000
const SITE = 'site'

export type ChargedRequest = Pick<FastifyRequest, 'ip' | 'headers' | 'socket'>

export type RequestCosts = ReturnType<typeof createRequestCosts>

/** Limits the cost of requests per network and in total. */
export function createRequestCosts(
  config: Pick<Config, 'rateLimit' | 'trustProxy'> & { limits: Pick<Config['limits'], 'requestCost'> },
  clock: () => number = () => performance.now(),
) {
  const { perNetwork, total } = config.limits.requestCost
  const memory = createMemoryBuckets({ maxKeys: MAX_NETWORKS, clock })

  return {
    /**
     * Charges a request before it runs.
     * @throws AppError 429 if a network's bucket is empty, 503 if the site's is empty
     */
    charge(request: ChargedRequest, units: number): void {
      if (!config.rateLimit) return
      const networks = isFromUnknownProxy(config, request) ? [] : networksOf(request.ip)
      const buckets = [
        ...networks.map(({ key, share }) => ({ key, ...chargeOf(perNetwork, units / share) })),
        { key: SITE, ...chargeOf(total, units) },
      ]
      const empty = memory.take(buckets)
      if (!empty) return
      const retryAfter = Math.ceil(empty.waitMs / 1000)
      throw buckets[empty.index]?.key === SITE
        ? errors.unavailable(refusal('failure.unavailable'), { retryAfter })
        : tooSoon(refusal('limit.requests'), empty.waitMs)
    },
  }
}

/** Rates of units are below a millisecond, so they are not rounded as in `bucketSize`. */
function chargeOf({ burst, everySeconds }: Rate, units: number) {
  const capacityMs = burst * everySeconds * 1000
  return { capacityMs, costMs: Math.min(units * everySeconds * 1000, capacityMs) }
}

const WAIT_MS = 10_000
/** Limits memory for waiting requests. */
const MAX_WAITING = { total: 2000, perNetwork: 500 }

/** Queues a read of a thread, a thread list or a paste. @throws AppError 503 if too many reads wait */
export type LargeReads = <Result>(address: string, read: () => Promise<Result>) => Promise<Result>

/**
 * Limits reads per network, so that one network does not delay others. Without a trusted proxy, a private address has
 * no limit: it may be a proxy's address, which all visitors share.
 */
export function createLargeReads({
  trustProxy,
  limits,
}: Pick<Config, 'trustProxy'> & { limits: Pick<Config['limits'], 'largeReads'> }): LargeReads {
  const { perNetwork, total } = limits.largeReads
  const semaphore = createSemaphore({
    running: total,
    waiting: MAX_WAITING.total,
    perKey: { running: perNetwork, waiting: MAX_WAITING.perNetwork },
    waitMs: WAIT_MS,
    onFull: () => errors.unavailable(refusal('failure.unavailable'), { retryAfter: 1 }),
  })
  const isVisitor = (address: string) => trustProxy.length > 0 || isPublicAddress(address)
  return (address, read) => semaphore.run(read, { key: isVisitor(address) ? widestNetworkOf(address) : '' })
}
