const FIRST_DELAY_MS = 1000
const MAX_DELAY_MS = 30_000

/** Jitter spreads clients that lost the stream together. */
export function backoffMs(attempt: number, random: () => number = Math.random): number {
  const wait = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt)
  return wait * (0.75 + random() * 0.25)
}
