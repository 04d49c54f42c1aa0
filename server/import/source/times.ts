import { giveWay } from '#server/import/progress.ts'
import type { ImportedPost, ImportedThread, ReportProblem } from '#server/import/types.ts'

/** A post of the source, whose time can be missing or not valid. */
export type UndatedPost = Omit<ImportedPost, 'time'> & { time: Date | null }
type Entry<Head> = { head: Head; post: UndatedPost }

/** Limits the memory for posts without a time that no post with a time precedes. */
const MAX_WAITING = 1000

/**
 * Gives posts without a time the time of the previous post of their board, or else of the next one.
 * @param entries posts by number
 */
export async function* completeTimes<Head extends { board: string }>(
  entries: Iterable<Entry<Head>> | AsyncIterable<Entry<Head>>,
  report: ReportProblem,
): AsyncGenerator<{ head: Head; post: ImportedPost }> {
  const times = new Map<string, Date>()
  const waiting = new Map<string, Entry<Head>[]>()
  const complete = ({ head, post }: Entry<Head>, time: Date) => {
    if (post.time === null)
      report(`/${head.board}/${post.number}`, 'time of another post used: its own is not valid', 'kept')
    return { head, post: { ...post, time } }
  }
  const leaveOut = ({ head, post }: Entry<Head>) =>
    report(`/${head.board}/${post.number}`, 'post left out: its time is not valid')
  for await (const entry of entries) {
    const { board } = entry.head
    const time = entry.post.time ?? times.get(board)
    const earlier = waiting.get(board) ?? []
    if (time === undefined) {
      if (earlier.length < MAX_WAITING) waiting.set(board, [...earlier, entry])
      else leaveOut(entry)
      continue
    }
    times.set(board, time)
    waiting.delete(board)
    for (const one of [...earlier, entry]) yield complete(one, time)
  }
  for (const one of [...waiting.values()].flat()) leaveOut(one)
}

/** A thread cannot begin before its opening post: reports a post with a lower number. */
export function isInThread(board: string, number: number, thread: number, report: ReportProblem): boolean {
  if (number < thread) report(`/${board}/${number}`, 'post left out: its number is lower than that of its thread')
  return number >= thread
}

/** posts in memory until their threads' parts are passed on */
const MAX_POSTS = 2000

type Head = Omit<ImportedThread, 'posts'>

/** Collects posts that arrive by number, and yields them as parts of their threads. */
export async function* groupPosts(
  posts: AsyncIterable<{ head: Head; post: ImportedPost }>,
): AsyncGenerator<ImportedThread> {
  let parts = new Map<string, ImportedThread>()
  let count = 0
  for await (const { head, post } of posts) {
    const key = `${head.board} ${head.number}`
    const part = parts.get(key) ?? { ...head, posts: [] }
    parts.set(key, part)
    part.posts.push(post)
    // Only the row of the opening post knows the state of the thread.
    if (post.number === head.number) Object.assign(part, head)
    await giveWay()
    if (++count < MAX_POSTS) continue
    yield* sorted(parts)
    parts = new Map()
    count = 0
  }
  yield* sorted(parts)
}

function sorted(parts: Map<string, ImportedThread>): ImportedThread[] {
  for (const { posts } of parts.values()) posts.sort((a, b) => a.number - b.number)
  return [...parts.values()]
}
