export type LeaseTimer = {
  /** @param startedAt time before the query, so that the timer ends before the lease in the database */
  extend(startedAt: number): void
  stop(): void
}

/** Calls `onExpire` when the lease has not been extended for its whole length. */
export function createLeaseTimer(leaseMs: number, onExpire: () => void): LeaseTimer {
  let timer: NodeJS.Timeout | undefined
  let expiresAt = 0
  return {
    extend(startedAt) {
      // A slow query may end after a later one.
      expiresAt = Math.max(expiresAt, startedAt + leaseMs)
      clearTimeout(timer)
      timer = setTimeout(onExpire, expiresAt - performance.now()).unref()
    },
    stop: () => clearTimeout(timer),
  }
}
