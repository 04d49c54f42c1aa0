import { SEARCH_CURSOR, type SearchSort } from '#src/contract/search.ts'

/**
 * Where a page of a search begins. `newest` is the newest post that may be found: new posts do not shift the pages. `last`
 * is the last hit of the page before, if the hits are ranked.
 */
export type SearchCursor = { newest?: number; last?: { rank: number; id: number } }

type LastHit = { id: number; rank: number; newest: number }

export const formatCursor = (sort: SearchSort | undefined, { id, rank, newest }: LastHit): string =>
  sort === 'date' ? String(id - 1) : `${newest}-${id}-${rank}`

/** Parses a cursor that the contract has validated. Without one, the search begins at the first page. */
export function parseCursor(text: string | undefined): SearchCursor {
  const [, newest, id, rank] = SEARCH_CURSOR.exec(text ?? '') ?? []
  if (newest === undefined) return {}
  return { newest: Number(newest), ...(id !== undefined && { last: { id: Number(id), rank: Number(rank) } }) }
}
