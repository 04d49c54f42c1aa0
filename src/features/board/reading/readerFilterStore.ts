import { type ReaderFilter, type ReaderFilters, readerFilterLimits } from '#src/contract/readerFilters.ts'
import { t } from '#src/i18n/t.ts'
import { followStored, readStored, writeStored } from '#src/lib/storage.ts'
import { createStore } from '#src/lib/store.ts'
import { readFilterFile } from './filterFile.ts'
import { READER_FILTERS_KEY } from './postFilter.ts'

const NOTHING: ReaderFilters = { hidden: [], filters: [] }

/** The hidden posts and the filters of this browser. */
export const readerFilters = createStore(NOTHING, load())

/** Hidden posts that the reader has opened. They are hidden again on the next page load. */
export const openedPosts = createStore<readonly number[]>([])

function load(): ReaderFilters {
  return readFilterFile(readStored(READER_FILTERS_KEY)) ?? NOTHING
}

function change(next: (current: ReaderFilters) => ReaderFilters): void {
  // Reads the entry again, because another tab may have changed it.
  const { hidden, filters } = next(load())
  const bounded = {
    hidden: [...new Set(hidden)].slice(0, readerFilterLimits.hidden),
    filters: filters.filter((one, at) => filters.findIndex((other) => isSame(one, other)) === at),
  }
  readerFilters.set(bounded)
  writeStored(READER_FILTERS_KEY, bounded.hidden.length + bounded.filters.length > 0 ? bounded : null)
}

const isSame = (one: ReaderFilter, other: ReaderFilter) => JSON.stringify(one) === JSON.stringify(other)

followStored(READER_FILTERS_KEY, () => readerFilters.set(load()))

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
  if (load().filters.length >= readerFilterLimits.filters)
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

export const exportFilters = (): string => JSON.stringify(load(), null, 2)

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
  if (data.filters.length + load().filters.length > readerFilterLimits.filters)
    return t('board.readerFilterTooMany', { filters: readerFilterLimits.filters, max: readerFilterLimits.hidden })
  change(({ hidden, filters }) => ({
    hidden: [...hidden, ...data.hidden],
    filters: [...filters, ...data.filters],
  }))
  return null
}
