import type { Random } from './random.ts'

/** The time of a post, in ms; `thread` and `comment` are indexes. */
export type Moment = { at: number; thread: number } & (
  | { kind: 'thread' }
  | { kind: 'comment'; comment: number }
  | { kind: 'reply'; comment: number }
)

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const MAX_COMMENTS_OF_OTHER_THREADS = 12
/** Relative activity by hour, UTC. */
const ACTIVITY = [6, 4, 3, 2, 1, 1, 2, 3, 5, 6, 6, 6, 7, 7, 7, 7, 8, 9, 10, 10, 10, 10, 9, 8]

/**
 * Plans all posts in order of time: the first thread gets comments throughout, the others a few, most of them soon.
 * @param from the first time in ms; no post is later than `to`
 */
export function makeSchedule(
  random: Random,
  { threads, comments, from, to }: { threads: number; comments: number; from: number; to: number },
): Moment[] {
  const starts = Array.from({ length: threads - 1 }, () => pickActiveTime(random, from + HOUR, to))
  const moments = [from, ...starts.sort(ascending)].flatMap((start, thread) => {
    const times =
      thread === 0
        ? spreadTimes(random, comments, start, to)
        : burstTimes(random, Math.min(MAX_COMMENTS_OF_OTHER_THREADS, comments), start, to)
    return [
      { at: start, thread, kind: 'thread' as const },
      ...times.flatMap((at, comment) => [
        { at, thread, kind: 'comment' as const, comment },
        ...replyTimes(random, at, to).map((later) => ({ at: later, thread, kind: 'reply' as const, comment })),
      ]),
    ]
  })
  return moments.sort((a, b) => a.at - b.at)
}

const ascending = (a: number, b: number) => a - b

function pickActiveTime(random: Random, from: number, to: number): number {
  for (;;) {
    const at = from + random.next() * (to - from)
    if (random.chance((ACTIVITY[new Date(at).getUTCHours()] ?? 0) / 10)) return at
  }
}

/** Times throughout, the last one a few minutes before `to`. */
function spreadTimes(random: Random, count: number, from: number, to: number): number[] {
  const times = Array.from({ length: count }, () => pickActiveTime(random, from + MINUTE, to - HOUR)).sort(ascending)
  return count > 0 ? [...times.slice(1), to - random.int(4, 25) * MINUTE] : []
}

/** Few or no times, further and further apart. */
function burstTimes(random: Random, max: number, start: number, to: number): number[] {
  const count = Math.floor((max + 1) * random.next() ** 1.5)
  const times: number[] = []
  let at = start
  for (let number = 0; number < count; number++) {
    at += MINUTE + random.next() ** 4 * 9 * HOUR * (1 + number / 3)
    times.push(at)
  }
  // Times that would be later than `to` are compressed.
  const room = (to - start) * 0.95
  const length = at - start
  return length > room ? times.map((time) => start + ((time - start) / length) * room) : times
}

/** Most comments get no reply. */
function replyTimes(random: Random, at: number, to: number): number[] {
  if (!random.chance(0.12)) return []
  const times: number[] = []
  for (let count = random.int(1, 3); count > 0; count--) {
    const last = times.at(-1) ?? at
    times.push(last + Math.min(MINUTE + random.next() ** 2 * 5 * HOUR, (to - last) / 2))
  }
  return times
}
