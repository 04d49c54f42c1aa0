const FIRST_MS = 1000
const LONGEST_MS = 30_000

/**
 * How long to wait before the next attempt, in ms: twice as long each time, and never quite the same for two
 * listeners, who would otherwise all come back in one moment.
 */
export function backoffMs(attempt: number, random: () => number = Math.random): number {
  const wait = Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt)
  return wait * (0.75 + random() * 0.25)
}
