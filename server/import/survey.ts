import { formatCount } from '#server/core/cli/terminal.ts'
import type { Span } from './ranges.ts'
import type { ImportedBoard, ImportOptions, ImportSource } from './types.ts'

/** Facts about a board, from the first reading of its source. */
export type BoardSurvey = {
  span: Span
  /** number of posts of each thread */
  threads: Map<number, number>
  /** whether the parts of each thread arrive in the order of their numbers */
  isOrdered: boolean
}

/** Reads the source once, to know the numbers of its boards. Boards without posts are not in the result. */
export async function surveyBoards(
  source: ImportSource,
  boards: ImportedBoard[],
  { progress }: Pick<ImportOptions, 'progress'>,
): Promise<Map<string, BoardSurvey>> {
  const surveys = new Map<string, BoardSurvey>()
  /** highest number of each thread so far */
  const highest = new Map<string, number>()
  const names = boards.map(({ name }) => name)
  let count = 0
  const ignore = () => {}
  for await (const { board, number, posts } of source.threads(names, ignore)) {
    const survey = surveys.get(board) ?? createSurvey(number)
    surveys.set(board, survey)
    const first = posts[0]?.number ?? number
    const last = posts.at(-1)?.number ?? number
    const key = `${board}/${number}`
    const before = highest.get(key) ?? 0
    if (first <= before) survey.isOrdered = false
    highest.set(key, Math.max(before, last))
    survey.span.lowest = Math.min(survey.span.lowest, number)
    survey.span.highest = Math.max(survey.span.highest, last)
    survey.threads.set(number, (survey.threads.get(number) ?? 0) + posts.length)
    count += posts.length
    progress(`Reading: ${formatCount(count, 'post')}`)
  }
  return surveys
}

const createSurvey = (lowest: number): BoardSurvey => ({
  span: { lowest, highest: 0 },
  threads: new Map(),
  isOrdered: true,
})
