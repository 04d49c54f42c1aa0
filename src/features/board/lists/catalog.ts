import type { CatalogSort, CatalogThread } from '#src/contract/thread.ts'

/** Returns whether the title or the shown text contains all words of the filter. */
export function matchesCatalogFilter({ title, preview }: Pick<CatalogThread, 'title' | 'preview'>, filter: string) {
  const text = `${title}\n${preview}`.toLowerCase()
  const words = filter.toLowerCase().split(/\s+/)
  return words.every((word) => text.includes(word))
}

/** All comments and replies of a thread. */
export const countReplies = ({ commentCount, replyCount }: Pick<CatalogThread, 'commentCount' | 'replyCount'>) =>
  commentCount + replyCount

const COMPARE: Record<Exclude<CatalogSort, 'activity'>, (a: CatalogThread, b: CatalogThread) => number> = {
  created: (a, b) => b.id - a.id,
  replies: (a, b) => countReplies(b) - countReplies(a) || b.id - a.id,
}

/**
 * Sorts threads that are in order of activity, pinned ones first. Keeps this order for `activity`, so that threads of an
 * open page do not move when somebody posts.
 */
export const sortCatalog = (threads: CatalogThread[], sort: CatalogSort): CatalogThread[] =>
  sort === 'activity' ? threads : threads.toSorted((a, b) => Number(b.pinned) - Number(a.pinned) || COMPARE[sort](a, b))
