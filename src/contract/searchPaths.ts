export const SEARCH_PATH = '/search'

export const SEARCH_FIELDS = ['q', 'board', 'from', 'to', 'images', 'sort'] as const
/** The fields of a search as its URL has them. Empty fields do not restrict the search. */
export type SearchFields = Record<(typeof SEARCH_FIELDS)[number], string>

/** @param cursor for a page that does not begin with the first hit */
export function searchPath(fields: Partial<SearchFields>, cursor?: string): string {
  const query = new URLSearchParams()
  for (const name of SEARCH_FIELDS) {
    const value = fields[name]
    if (value && !(name === 'sort' && value === 'relevance')) query.set(name, value)
  }
  if (cursor !== undefined) query.set('cursor', cursor)
  return query.size > 0 ? `${SEARCH_PATH}?${query}` : SEARCH_PATH
}
