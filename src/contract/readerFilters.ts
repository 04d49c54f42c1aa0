export const readerFilterLimits = {
  filters: 200,
  hidden: 2000,
  value: 100,
  fileBytes: 200_000,
} as const

export const readerFilterMessages = {
  value: 'A filter needs a letter or a digit',
  kind: 'A filter must be for a name or for words',
  board: 'A filter must be for a board or for all boards',
  file: 'This file does not contain filters of this site',
  tooMany: `There can be at most ${readerFilterLimits.filters} filters and ${readerFilterLimits.hidden} hidden posts`,
} as const

/**
 * Hides posts in this browser. `*` in the value stands for any characters of a name or word.
 * `boardId` is null for a filter of all boards.
 */
export type ReaderFilter = { kind: 'name' | 'words'; value: string; boardId: string | null }

/** The hidden posts and the filters of a browser. `hidden` has numbers of posts and threads, newest first. */
export type ReaderFilters = { hidden: number[]; filters: ReaderFilter[] }
