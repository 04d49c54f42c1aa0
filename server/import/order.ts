import type { BoardSurvey } from './survey.ts'
import type { ImportedThread, ImportSource, ReportProblem } from './types.ts'

/** posts in memory while a board is sorted; a single thread may have more */
export const MAX_SORTED = 50_000

/**
 * Reads the parts of each thread in the order of their numbers, as the import needs them to continue later. Dumps of
 * MySQL can be in any order: a MyISAM table puts new rows where others were deleted. Such a board is read several
 * times, each time for as many threads as fit into memory.
 */
export async function* readInOrder(
  source: ImportSource,
  surveys: ReadonlyMap<string, Pick<BoardSurvey, 'threads' | 'isOrdered'>>,
  report: ReportProblem,
  maxSorted = MAX_SORTED,
): AsyncGenerator<ImportedThread> {
  const ordered = [...surveys].flatMap(([name, { isOrdered }]) => (isOrdered ? name : []))
  if (ordered.length > 0) yield* source.threads(ordered, report)
  for (const [name, { threads, isOrdered }] of surveys) {
    if (isOrdered) continue
    for (const [index, numbers] of groupBySize(threads, maxSorted).entries())
      yield* await readThreads(source, name, numbers, index === 0 ? report : () => {})
  }
}

/** Divides threads into groups with a limited number of posts. */
function groupBySize(threads: ReadonlyMap<number, number>, maxPosts: number): Set<number>[] {
  const groups: Set<number>[] = []
  let size = Number.POSITIVE_INFINITY
  for (const [number, posts] of [...threads].sort(([a], [b]) => a - b)) {
    if (size + posts > maxPosts) {
      groups.push(new Set())
      size = 0
    }
    groups.at(-1)?.add(number)
    size += posts
  }
  return groups
}

/** Reads a board once, and joins the parts of some of its threads. */
async function readThreads(
  source: ImportSource,
  board: string,
  numbers: ReadonlySet<number>,
  report: ReportProblem,
): Promise<ImportedThread[]> {
  const threads = new Map<number, ImportedThread>()
  for await (const part of source.threads([board], report)) {
    if (!numbers.has(part.number)) continue
    const joined = threads.get(part.number)
    threads.set(part.number, joined ? joinParts(joined, part) : part)
  }
  for (const { posts } of threads.values()) posts.sort((a, b) => a.number - b.number)
  return [...threads.values()].sort((a, b) => a.number - b.number)
}

/** The part with the opening post knows the state of the thread. */
function joinParts(joined: ImportedThread, part: ImportedThread): ImportedThread {
  const { posts } = joined
  for (const post of part.posts) posts.push(post)
  const hasOpening = part.posts.some(({ number }) => number === part.number)
  return { ...(hasOpening ? part : joined), posts }
}
