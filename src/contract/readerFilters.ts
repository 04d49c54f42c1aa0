/** Local storage key of the posts and filters that hide posts in a browser. */
export const READER_FILTERS_KEY = 'dtpchan_filters'

export const readerFilterLimits = {
  filters: 200,
  hidden: 2000,
  value: 100,
  fileBytes: 200_000,
} as const

/**
 * Hides posts in this browser. `*` in the value stands for any characters of a name or word.
 * `boardId` is null for a filter of all boards.
 */
export type ReaderFilter = { kind: 'name' | 'words'; value: string; boardId: string | null }

/** The hidden posts and the filters of a browser. `hidden` has numbers of posts and threads, newest first. */
export type ReaderFilters = { hidden: number[]; filters: ReaderFilter[] }
