import { formatCount } from '#server/core/cli/terminal.ts'
import type { Span } from './ranges.ts'
import type { ImportedBoard, ImportOptions, ImportSource } from './types.ts'

/** Facts about a board, from the first reading of its source. */
export type BoardSurvey = {
  span: Span
  /** numbers of all posts; null if an earlier run has imported none of the board */
  numbers: Set<number> | null
  /** number of posts of each thread */
  threads: Map<number, number>
  /** when threads were last bumped, as far as the source knows: only the part with the opening post has it */
  bumps: Map<number, Date>
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
  for await (const { board, number, posts, bumpedAt } of source.threads(names, report)) {
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
    if (bumpedAt && first === number) survey.bumps.set(number, bumpedAt)
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
