export type { SearchHit, SearchPage } from './searchAnswers.ts'

export const searchLimits = {
  /** characters of a query */
  query: 200,
  /** words and nicks of a query */
  parts: 16,
  hitsPerPage: 20,
  /** the newest matches that are ranked by relevance */
  ranked: 1000,
  /** characters of an excerpt */
  excerpt: 280,
} as const

export const SEARCH_SORTS = ['relevance', 'date'] as const
export type SearchSort = (typeof SEARCH_SORTS)[number]

/** A board that a search can be limited to. */
export type SearchBoard = { id: string; name: string }
