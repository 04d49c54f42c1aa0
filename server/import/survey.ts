import { formatCount } from '#server/core/cli/terminal.ts'
import type { Span } from '#server/import/write/ranges.ts'
import type { ImportedBoard, ImportedThread, ImportOptions, ImportSource, ReportProblem } from './types.ts'

/** When a thread was last bumped, and whether a moderator has stopped its bumps. */
type Bumps = Pick<ImportedThread, 'bumpedAt' | 'bumplocked'>

/** Facts about a board, from the first reading of its source. */
export type BoardSurvey = {
  span: Span
  /** numbers of all posts; null if an earlier run has imported none of the board */
  numbers: Set<number> | null
  /** number of posts of each thread */
  threads: Map<number, number>
  /** the bumps of threads, as far as the source knows them: only the part with the opening post has them */
  bumps: Map<number, Bumps>
  /** whether the parts of each thread arrive in the order of their numbers */
  isOrdered: boolean
}

/**
 * Reads the source once, to know the numbers of its boards. Boards without posts are not in the result.
 * @param known names of boards that an earlier run has imported
 * @param options.report receives what cannot be read; the second reading reports it to the user
 */
export async function surveyBoards(
  source: ImportSource,
  boards: ImportedBoard[],
  known: ReadonlySet<string>,
  { progress, report }: Pick<ImportOptions, 'progress' | 'report'>,
): Promise<Map<string, BoardSurvey>> {
  const surveys = new Map<string, BoardSurvey>()
  /** highest number of each thread so far */
  const highest = new Map<string, number>()
  const names = boards.map(({ name }) => name)
  let count = 0
  for await (const { board, number, posts, bumpedAt, bumplocked } of source.threads(names, report)) {
    const survey = surveys.get(board) ?? createSurvey(number, known.has(board))
    surveys.set(board, survey)
    const first = posts[0]?.number ?? number
    const last = posts.at(-1)?.number ?? number
    const key = `${board}/${number}`
    const before = highest.get(key) ?? 0
    if (first <= before) survey.isOrdered = false
    highest.set(key, Math.max(before, last))
    survey.span.lowest = Math.min(survey.span.lowest, number)
    survey.span.highest = Math.max(survey.span.highest, last)
    if (bumpedAt && first === number) survey.bumps.set(number, { bumpedAt, bumplocked })
    for (const post of posts) survey.numbers?.add(post.number)
    survey.threads.set(number, (survey.threads.get(number) ?? 0) + posts.length)
    count += posts.length
    progress(`Reading: ${formatCount(count, 'post')}`)
  }
  return surveys
}

const createSurvey = (lowest: number, isKnown: boolean): BoardSurvey => ({
  span: { lowest, highest: 0 },
  numbers: isKnown ? new Set() : null,
  threads: new Map(),
  bumps: new Map(),
  isOrdered: true,
})

/** posts in memory while a board is sorted; a single thread may have more */
const MAX_SORTED = 50_000

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
