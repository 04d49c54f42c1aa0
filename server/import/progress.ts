import { setImmediate } from 'node:timers/promises'

const UNITS = [
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const

/** Formats a duration by its largest unit: `45 s`, `12 min`, `3.5 h`. */
export function formatTime(ms: number): string {
  const [name, size] = UNITS.find(([, size]) => ms >= size) ?? UNITS[2]
  return `${(ms / size).toLocaleString('en', { maximumFractionDigits: name === 'h' ? 1 : 0 })} ${name}`
}

/** Describes how far an import is: `Importing: 1,000 of 5,000 posts, 250 per s, 16 s left`. */
export function describeProgress(done: number, total: number, elapsedMs: number): string {
  const count = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 0 })
  const start = `Importing: ${count(done)} of ${count(total)} posts`
  if (done === 0 || elapsedMs < 1000) return start
  const perMs = done / elapsedMs
  return `${start}, ${count(perMs * 1000)} per s, ${formatTime(Math.max(0, total - done) / perMs)} left`
}

/** About 2 ms of work. */
const POSTS = 16
let count = 0

/**
 * Lets the process handle answers of the database, after every few posts: an open transaction of the embedded database
 * keeps the whole site waiting.
 */
export async function giveWay(): Promise<void> {
  if (++count % POSTS === 0) await setImmediate()
}
