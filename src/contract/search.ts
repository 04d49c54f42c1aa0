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

export const searchMessages = {
  empty: 'Type something to search for',
  tooLong: `A search can have at most ${searchLimits.query} characters`,
  tooManyParts: `A search can have at most ${searchLimits.parts} words`,
  onlyExcluded: 'Add a word or a nick to find. Words with a minus only leave posts out.',
  date: 'Dates must be like 2026-01-31',
  order: 'The first day must not be after the last day',
  images: 'images must be true or false',
  sort: 'sort must be relevance or date',
  board: 'Board must be a text',
  cursor: 'The cursor is not valid',
  load: 'The search failed or took too long. Please try again, or with rarer words.',
} as const

export const SEARCH_SORTS = ['relevance', 'date'] as const
export type SearchSort = (typeof SEARCH_SORTS)[number]

/** A board that a search can be limited to. */
export type SearchBoard = { id: string; name: string }
