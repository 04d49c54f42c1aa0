/** Tolerates clock drift: a live stream may be 1% faster than real time. */
const MAX_LIVE_RATE = 1.01

/** Limits how far a stream runs ahead of real time: some servers send a file as fast as possible. */
export function createPacer(clock: () => number, maxLeadSeconds: number) {
  let ahead = 0
  let counted = clock()
  return {
    /** Counts received audio and returns the milliseconds to wait before the next read. */
    add(seconds: number): number {
      const now = clock()
      ahead = Math.max(0, ahead - ((now - counted) / 1000) * MAX_LIVE_RATE) + seconds
      counted = now
      return ahead > maxLeadSeconds ? ((ahead - maxLeadSeconds) / MAX_LIVE_RATE) * 1000 : 0
    },
  }
}
