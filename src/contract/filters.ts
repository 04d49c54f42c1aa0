export type { FilterDryRun, FilteredPost, FilterView } from './filterAnswers.ts'

export const filterLimits = {
  value: 200,
  message: 300,
  filters: 500,
  /** compiled size of one pattern, in instructions: the time for a text grows with it */
  patternSize: 500,
  dryRunDays: 7,
  /** newest matches that a dry run lists; it counts all */
  dryRunPosts: 50,
} as const

/** Tells moderators why a post is held. */
export const heldByFilter = ({ id, value }: { id: number; value: string }) => `Filter No. ${id}: ${value}`

const HELD_BY_FILTER = /^Filter No\. (\d+): (.*)$/s

/** Returns the filter that holds a post, or null if another reason does. */
export function readFilterHold(heldFor: string): { id: string; value: string } | null {
  const [, id, value] = HELD_BY_FILTER.exec(heldFor) ?? []
  return id !== undefined && value !== undefined ? { id, value } : null
}
