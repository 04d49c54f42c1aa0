const FIRST_DELAY_MS = 1000
const MAX_DELAY_MS = 30_000

/** Returns the delay before a retry. Jitter spreads the retries of clients that lost the stream at the same time. */
export function backoffMs(attempt: number, random: () => number = Math.random): number {
  const wait = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt)
  return wait * (0.75 + random() * 0.25)
}
