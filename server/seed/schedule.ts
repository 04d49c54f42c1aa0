import type { Random } from './random.ts'

/** When something is written; `thread` and `comment` count from 0, in their order. */
export type Moment = { at: number; thread: number } & (
  | { kind: 'thread' }
  | { kind: 'comment'; comment: number }
  | { kind: 'reply'; comment: number }
)

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Comments of an ordinary thread, at most. */
const FEW = 12
/** How awake a community is by the hour of the day, UTC. */
const RHYTHM = [6, 4, 3, 2, 1, 1, 2, 3, 5, 6, 6, 6, 7, 7, 7, 7, 8, 9, 10, 10, 10, 10, 9, 8]

/**
 * Lays out who writes when, in the order of time: the first thread is the busiest and lives from the first day to the
 * last minutes, the others get a few comments each, most of them soon.
 * @param from first instant in milliseconds; nothing is later than `to`
 */
export function makeSchedule(
  random: Random,
  { threads, comments, from, to }: { threads: number; comments: number; from: number; to: number },
): Moment[] {
  const starts = Array.from({ length: threads - 1 }, () => wakingMoment(random, from + HOUR, to))
  const moments = [from, ...starts.sort(ascending)].flatMap((start, thread) => {
    const times = thread === 0 ? spread(random, comments, start, to) : burst(random, Math.min(FEW, comments), start, to)
    return [
      { at: start, thread, kind: 'thread' as const },
      ...times.flatMap((at, comment) => [
        { at, thread, kind: 'comment' as const, comment },
        ...answers(random, at, to).map((later) => ({ at: later, thread, kind: 'reply' as const, comment })),
      ]),
    ]
  })
  return moments.sort((a, b) => a.at - b.at)
}

const ascending = (a: number, b: number) => a - b

function wakingMoment(random: Random, from: number, to: number): number {
  for (;;) {
    const at = from + random.next() * (to - from)
    if (random.chance((RHYTHM[new Date(at).getUTCHours()] ?? 0) / 10)) return at
  }
}

/** All over the time, the last one only minutes ago. */
function spread(random: Random, count: number, from: number, to: number): number[] {
  const times = Array.from({ length: count }, () => wakingMoment(random, from + MINUTE, to - HOUR)).sort(ascending)
  return count > 0 ? [...times.slice(1), to - random.int(4, 25) * MINUTE] : []
}

/** Few or none, with a long tail; the first soon after the thread, the later ones further apart. */
function burst(random: Random, most: number, start: number, to: number): number[] {
  const count = Math.floor((most + 1) * random.next() ** 1.5)
  const times: number[] = []
  let at = start
  for (let number = 0; number < count; number++) {
    at += MINUTE + random.next() ** 4 * 9 * HOUR * (1 + number / 3)
    times.push(at)
  }
  // What would lie in the future is drawn together until the last is just past.
  const room = (to - start) * 0.95
  const length = at - start
  return length > room ? times.map((time) => start + ((time - start) / length) * room) : times
}

/** Times of the replies to a comment; most get none. */
function answers(random: Random, at: number, to: number): number[] {
  if (!random.chance(0.12)) return []
  const times: number[] = []
  for (let count = random.int(1, 3); count > 0; count--) {
    const last = times.at(-1) ?? at
    times.push(last + Math.min(MINUTE + random.next() ** 2 * 5 * HOUR, (to - last) / 2))
  }
  return times
}
