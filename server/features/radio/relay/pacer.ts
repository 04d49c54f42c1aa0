/** A server's clock and ours differ: so much faster than real time is still a live stream. */
const MAX_LIVE_RATE = 1.01

/**
 * Counts how far a stream is ahead of real time: servers send some seconds at once and then as it is played, while a
 * file would come as fast as it can be read.
 * @param clock milliseconds, of any beginning
 * @param maxLeadSeconds seconds it may be ahead
 */
export function createPacer(clock: () => number, maxLeadSeconds: number) {
  let ahead = 0
  let counted = clock()
  return {
    /** takes in what has come and gives the milliseconds to wait before more is read */
    add(seconds: number): number {
      const now = clock()
      ahead = Math.max(0, ahead - ((now - counted) / 1000) * MAX_LIVE_RATE) + seconds
      counted = now
      return ahead > maxLeadSeconds ? ((ahead - maxLeadSeconds) / MAX_LIVE_RATE) * 1000 : 0
    },
  }
}
