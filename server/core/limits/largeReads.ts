import type { Config } from '#server/core/config/config.ts'
import { errors } from '#server/core/errors.ts'
import { isPublicAddress } from '#server/core/security/publicAddress.ts'
import { refusal } from '#src/contract/refusal.ts'
import { widestNetworkOf } from './networks.ts'
import { createSemaphore } from './semaphore.ts'

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
