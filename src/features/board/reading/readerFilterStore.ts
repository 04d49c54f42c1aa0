import {
  READER_FILTERS_KEY,
  type ReaderFilter,
  type ReaderFilters,
  readerFilterLimits,
} from '#src/contract/readerFilters.ts'
import { t } from '#src/i18n/t.ts'
import { createStore } from '#src/lib/store.ts'
import { createStoredStore } from '#src/lib/storedStore.ts'

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

/** The hidden posts and the filters of this browser. */
export const readerFilters = createStoredStore<ReaderFilters>(
  READER_FILTERS_KEY,
  (stored) => readFilterFile(stored) ?? { hidden: [], filters: [] },
  ({ hidden, filters }) => (hidden.length + filters.length > 0 ? { hidden, filters } : null),
)

/** Hidden posts that the reader has opened. They are hidden again on the next page load. */
export const openedPosts = createStore<readonly number[]>([])

/** Whether the dialog of the filters is open. */
export const isFiltersDialogOpen = createStore(false)

const change = (next: (current: ReaderFilters) => ReaderFilters): void =>
  readerFilters.change((current) => {
    const { hidden, filters } = next(current)
    return {
      hidden: [...new Set(hidden)].slice(0, readerFilterLimits.hidden),
      filters: filters.filter((one, at) => filters.findIndex((other) => isSame(one, other)) === at),
    }
  })

const isSame = (one: ReaderFilter, other: ReaderFilter) => JSON.stringify(one) === JSON.stringify(other)

export function hidePost(id: number): void {
  openedPosts.set(openedPosts.get().filter((other) => other !== id))
  change(({ hidden, filters }) => ({ hidden: [id, ...hidden], filters }))
}

export function unhidePost(id: number): void {
  change(({ hidden, filters }) => ({ hidden: hidden.filter((other) => other !== id), filters }))
}

export const openPost = (id: number): void => openedPosts.set([...openedPosts.get(), id])

/** @returns an error, or null */
export function addFilter(filter: ReaderFilter): string | null {
  if (readerFilters.load().filters.length >= readerFilterLimits.filters)
    return t('board.readerFilterTooMany', { filters: readerFilterLimits.filters, max: readerFilterLimits.hidden })
  change(({ hidden, filters }) => ({ hidden, filters: [filter, ...filters] }))
  return null
}

export function removeFilter(filter: ReaderFilter): void {
  change(({ hidden, filters }) => ({ hidden, filters: filters.filter((other) => !isSame(other, filter)) }))
}

export function unhideAll(): void {
  change(({ filters }) => ({ hidden: [], filters }))
}

export const exportFilters = (): string => JSON.stringify(readerFilters.load(), null, 2)

/** Adds the filters of an exported file to the existing ones. @returns an error, or null */
export function importFilters(text: string): string | null {
  let file: unknown
  try {
    file = JSON.parse(text)
  } catch {
    return t('board.readerFilterFile')
  }
  const data = readFilterFile(file)
  if (!data) return t('board.readerFilterFile')
  if (data.filters.length + readerFilters.load().filters.length > readerFilterLimits.filters)
    return t('board.readerFilterTooMany', { filters: readerFilterLimits.filters, max: readerFilterLimits.hidden })
  change(({ hidden, filters }) => ({
    hidden: [...hidden, ...data.hidden],
    filters: [...filters, ...data.filters],
  }))
  return null
}
