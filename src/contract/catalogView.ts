import { catalogPath } from './boardPaths.ts'

/** How a catalog is sorted. It starts with the pinned threads in every order. */
export const CATALOG_SORTS = ['activity', 'created', 'replies'] as const
export type CatalogSort = (typeof CATALOG_SORTS)[number]
export type CatalogView = { sort: CatalogSort; filter: string }

/** Returns the URL of a sorted and filtered catalog. */
export function catalogViewPath(boardId: string, { sort, filter }: CatalogView): string {
  const query = new URLSearchParams()
  if (sort !== 'activity') query.set('sort', sort)
  if (filter.trim() !== '') query.set('filter', filter.trim())
  return `${catalogPath(boardId)}${query.size > 0 ? `?${query}` : ''}`
}

/** Reads the query of a catalog's URL. Replaces an unknown order, and shortens the filter. */
export const parseCatalogView = (search: { sort?: string | undefined; filter?: string | undefined }): CatalogView => ({
  sort: CATALOG_SORTS.find((sort) => sort === search.sort) ?? 'activity',
  filter: (search.filter ?? '').trim().slice(0, MAX_FILTER_LENGTH),
})

/** Limits the URLs that the server keeps pages for. */
const MAX_FILTER_LENGTH = 100
