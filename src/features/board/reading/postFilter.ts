import type { ReactNode } from 'react'

/** Local storage key of the posts and filters that hide posts in this browser. */
export const READER_FILTERS_KEY = 'dtpchan_filters'

export type FilteredPost = { id: number; author?: string; content?: string; preview?: string; title?: string }

/** Renders what a page shows instead of a hidden post; null for other posts. */
export type PostFilter = (post: FilteredPost) => ReactNode

/** Sent to the window when the reader hides a post or adds a filter. */
export const FILTERS_USED = 'filters-used'

/** Sent to the window to open the dialog of the filters. */
export const OPEN_FILTERS = 'open-filters'
