import { type ReaderFilter, type ReaderFilters, readerFilterLimits } from '#src/contract/readerFilters.ts'

/** Without a letter or digit, a filter of words would find nothing, and `*` would hide everything. */
export const isFilterValue = (value: string): boolean =>
  value.length <= readerFilterLimits.value && /[\p{L}\p{N}]/u.test(value) && !/[\p{Cc}\u2028\u2029]/u.test(value)

const BOARD_ID = /^[a-z0-9]+(-[a-z0-9]+)*$/

/** Checks stored and exported filters. Returns null for anything else. */
export function readFilterFile(file: unknown): ReaderFilters | null {
  const { hidden, filters } = (file ?? {}) as Partial<Record<keyof ReaderFilters, unknown>>
  const isValid =
    isListOf(hidden, isPostNumber, readerFilterLimits.hidden) && isListOf(filters, isFilter, readerFilterLimits.filters)
  return isValid ? { hidden: hidden as number[], filters: (filters as ReaderFilter[]).map(toFilter) } : null
}

const isListOf = (list: unknown, isItem: (item: unknown) => boolean, max: number) =>
  Array.isArray(list) && list.length <= max && list.every(isItem)

const isPostNumber = (id: unknown) => Number.isSafeInteger(id) && Number(id) > 0

function isFilter(filter: unknown): boolean {
  const { kind, value, boardId } = (filter ?? {}) as Partial<Record<keyof ReaderFilter, unknown>>
  const isBoard = boardId === null || (typeof boardId === 'string' && boardId.length <= 40 && BOARD_ID.test(boardId))
  return (kind === 'name' || kind === 'words') && typeof value === 'string' && isFilterValue(value) && isBoard
}

/** Leaves out what else the file contains. */
const toFilter = ({ kind, value, boardId }: ReaderFilter): ReaderFilter => ({ kind, value: value.trim(), boardId })
