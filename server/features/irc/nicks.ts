const MAX_TRIES = 8
/** Tries after which random digits replace the underscores. */
const UNDERSCORES = 3
const MAX_LENGTH = 30

/** Returns the nick for an attempt, or null after the last one: without a nick, the server waits forever. */
export function nickForAttempt(wanted: string, attempt: number, random: () => number = Math.random): string | null {
  if (attempt >= MAX_TRIES) return null
  const suffix = attempt <= UNDERSCORES ? '_'.repeat(attempt) : `_${100 + Math.floor(random() * 900)}`
  return wanted.slice(0, MAX_LENGTH - suffix.length) + suffix
}
