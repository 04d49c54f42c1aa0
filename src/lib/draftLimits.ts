/** Other keys of useDraft are not drafts of posts, and do not expire. */
export const DRAFT_PREFIX = 'draft:'
const MAX_DRAFTS = 20
const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000
/** Several times the longest post. Browsers give a site about five million characters. */
const MAX_LENGTH = 60_000

/** A stored draft. `savedAt` is in ms since 1970; earlier versions did not store it. */
export type StoredDraft = { key: string; savedAt?: number }

/** Returns the drafts to delete: old ones, and the oldest ones beyond the limit. */
export function findSurplusDrafts(drafts: StoredDraft[], now: number): string[] {
  const kept = drafts.filter(({ savedAt }) => savedAt === undefined || now - savedAt <= MAX_AGE_MS)
  const newest = kept.toSorted((one, other) => (other.savedAt ?? 0) - (one.savedAt ?? 0)).slice(0, MAX_DRAFTS)
  return drafts.filter((draft) => !newest.includes(draft)).map(({ key }) => key)
}

/** Returns whether texts are short enough to be kept. */
export const isKept = (texts: Record<string, string>): boolean =>
  Object.values(texts).reduce((length, text) => length + text.length, 0) <= MAX_LENGTH
