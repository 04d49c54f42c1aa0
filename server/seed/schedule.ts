import type { Random } from './random.ts'

/** A planned post. `at` is its time in ms. `thread` and `comment` are indexes. */
export type ScheduledPost = { at: number; kind: 'thread' | 'comment' | 'reply'; thread: number; comment: number }

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const MAX_COMMENTS_OF_OTHER_THREADS = 12

type Plan = { threads: number; comments: number; from: number; to: number }

/**
 * Plans all posts, sorted by time. The first thread gets `comments` comments, and its last comment is a few minutes
 * before `to`. Every other thread gets a few comments, most of them soon after it starts, and all at least an hour
 * before `to`. The first thread is therefore at the top of its board.
 */
export function makeSchedule(random: Random, { threads, comments, from, to }: Plan): ScheduledPost[] {
  const end = to - HOUR
  const moments = Array.from({ length: threads }, (_, thread) => {
    const start = thread === 0 ? from : from + random.next() * (end - from)
    const times = thread === 0 ? spreadTimes(comments, start) : burstTimes(start, comments)
    const replies = times.flatMap((at, comment) =>
      replyTimes(at).map((later) => ({ at: later, kind: 'reply' as const, thread, comment })),
    )
    return [
      { at: start, kind: 'thread' as const, thread, comment: 0 },
      ...times.map((at, comment) => ({ at, kind: 'comment' as const, thread, comment })),
      // Limit replies: they count toward the thread's post limit and could leave no room for the last comment.
      ...replies.slice(0, times.length / 4),
    ]
  })
  return moments.flat().sort((a, b) => a.at - b.at)

  function spreadTimes(count: number, start: number): number[] {
    if (count === 0) return []
    const times = Array.from({ length: count - 1 }, () => start + random.next() * (end - start))
    return [...times, to - random.int(4, 25) * MINUTE]
  }

  function burstTimes(start: number, max: number): number[] {
    const count = Math.floor((Math.min(MAX_COMMENTS_OF_OTHER_THREADS, max) + 1) * random.next() ** 1.5)
    return timesAfter(start, count, 2 * DAY)
  }

  function replyTimes(at: number): number[] {
    return random.chance(0.12) && at < end ? timesAfter(at, random.int(1, 3), 5 * HOUR) : []
  }

  function timesAfter(start: number, count: number, span: number): number[] {
    return Array.from({ length: count }, () => start + random.next() ** 2 * Math.min(span, end - start))
  }
}
