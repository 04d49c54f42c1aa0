import { render } from 'vike/abort'
import type { PageContext } from 'vike/types'

/** Replaces data that did not load. The page shows the error, and the response has status 503. */
export type LoadFailure = { error: string }

/**
 * Loads a page's data. A missing item becomes a 404 page and a deleted item a 410 page. The page shows all other
 * errors.
 */
export async function loadPageData<T extends object>(data: Promise<T>, error: string): Promise<T | LoadFailure> {
  try {
    return await data
  } catch (thrown) {
    const { code, message, gone } = thrown as { code?: unknown; message?: string; gone?: boolean }
    if (code === 'NOT_FOUND') throw render(gone ? 410 : 404, message ?? error)
    return { error }
  }
}

export const isFailed = (data: unknown): data is LoadFailure =>
  typeof data === 'object' && data !== null && 'error' in data

/** Derives a page setting from the page's data. Returns `otherwise` if the data did not load. */
export const derivedFromData =
  <Data, Value = string>(
    make: (data: Exclude<Data, LoadFailure>, pageContext: PageContext) => Value,
    otherwise: Value | ((pageContext: PageContext) => Value),
  ) =>
  (pageContext: PageContext): Value =>
    isFailed(pageContext.data)
      ? otherwise instanceof Function
        ? otherwise(pageContext)
        : otherwise
      : make(pageContext.data as Exclude<Data, LoadFailure>, pageContext)
