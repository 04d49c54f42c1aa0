import type { Config } from '#server/core/config/config.ts'
import { errors, errorTexts } from '#server/core/errors.ts'
import { isPublicAddress } from '#server/core/security/publicAddress.ts'
import { widestNetworkOf } from './networks.ts'
import { createSemaphore } from './semaphore.ts'

/** Reads that have waited longer are refused, so that visitors get an answer. */
const WAIT_MS = 10_000
/** Guards memory, and the queue of everybody else. */
const WAITING = { all: 2000, ofNetwork: 500 }

/** Reads a thread, a list of threads or a paste when it is its turn. @throws AppError 503 when too many wait */
export type LargeReads = <Result>(address: string, read: () => Promise<Result>) => Promise<Result>

/**
 * Bounds the large reads at the same time, whose rows and answers are megabytes each: without it, hundreds of requests
 * at once have all of them in memory. A network has its share of them, so that others do not wait behind its queue.
 * Without TRUST_PROXY private addresses are not told apart: one may be a proxy that the setting should name.
 */
export function createLargeReads({
  trustProxy,
  limits,
}: Pick<Config, 'trustProxy'> & { limits: Pick<Config['limits'], 'largeReads'> }): LargeReads {
  const { perNetwork, total } = limits.largeReads
  const semaphore = createSemaphore({
    running: total,
    waiting: WAITING.all,
    perKey: { running: perNetwork, waiting: WAITING.ofNetwork },
    waitMs: WAIT_MS,
    onFull: () => errors.unavailable(errorTexts.unavailable, { retryAfter: 1 }),
  })
  const isVisitor = (address: string) => trustProxy.length > 0 || isPublicAddress(address)
  return (address, read) => semaphore.run(read, { key: isVisitor(address) ? widestNetworkOf(address) : '' })
}
