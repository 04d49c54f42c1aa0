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

export const filterMessages = {
  refused: 'This text is not allowed here',
  tooSlow: 'This text takes too long to check. Please shorten it.',
  kind: 'Choose what the filter looks for: a text, a pattern or a domain',
  value: 'Please enter what the filter looks for',
  fields: 'Choose at least one of posts, names and pastes',
  effect: 'Choose whether the filter refuses or holds',
  enabled: 'enabled must be true or false',
  message: 'The message must be one line of text',
  domain: 'Please enter a domain such as example.com. Its subdomains are included.',
  matchesAll: 'This pattern matches every text',
  patternSize: 'This pattern is too large. Please use fewer or smaller repetitions.',
  exists: 'This filter exists already',
  tooMany: `There can be at most ${filterLimits.filters} filters`,
  notFound: 'Filter not found',
} as const

/** Tells moderators why a post is held. */
export const heldByFilter = ({ id, value }: { id: number; value: string }) => `Filter No. ${id}: ${value}`

const HELD_BY_FILTER = /^Filter No\. (\d+): (.*)$/s

/** Returns the filter that holds a post, or null if another reason does. */
export function readFilterHold(heldFor: string): { id: string; value: string } | null {
  const [, id, value] = HELD_BY_FILTER.exec(heldFor) ?? []
  return id !== undefined && value !== undefined ? { id, value } : null
}

export const invalidPattern = (reason: string) => `This pattern is not valid: ${reason}`
