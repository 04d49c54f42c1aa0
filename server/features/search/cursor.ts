import type { SearchSort } from '#src/contract/search.ts'

/**
 * Where a page of a search begins. `newest` is the newest post that may be found: new posts do not shift the pages. `last`
 * is the last hit of the page before, if the hits are ranked.
 */
export type SearchCursor = { newest?: number; last?: { rank: number; id: number } }

type LastHit = { id: number; rank: number; newest: number }

export const formatCursor = (sort: SearchSort | undefined, { id, rank, newest }: LastHit): string =>
  sort === 'date' ? String(id - 1) : `${newest}-${id}-${rank}`

/** Parses a cursor. An invalid one begins at the first page. */
export function parseCursor(sort: SearchSort | undefined, text: string | undefined): SearchCursor {
  const [, newest, id, rank] = /^(\d{1,15})(?:-(\d{1,15})-(\d(?:\.\d{1,20})?(?:e-\d{1,3})?))?$/.exec(text ?? '') ?? []
  if (newest === undefined || (sort === 'date') !== (id === undefined)) return {}
  return { newest: Number(newest), ...(id !== undefined && { last: { id: Number(id), rank: Number(rank) } }) }
}
