import { render } from 'vike/abort'
import type { PageContext } from 'vike/types'

/** Data that could not be read, and the text for it; the answer's status is 503. */
export type Failed = { error: string }

/**
 * Reads a page's data. What does not exist becomes a 404 page, what is known to be deleted a 410; anything else that
 * goes wrong is said by the page itself.
 */
export async function load<T extends object>(data: Promise<T>, error: string): Promise<T | Failed> {
  try {
    return await data
  } catch (thrown) {
    const { code, message, gone } = thrown as { code?: unknown; message?: string; gone?: boolean }
    if (code === 'NOT_FOUND') throw render(gone ? 410 : 404, message ?? error)
    return { error }
  }
}

export const isFailed = (data: unknown): data is Failed => typeof data === 'object' && data !== null && 'error' in data

/** A setting of a page made of its data, and what it is where that could not be read. */
export const fromData =
  <Data, Value = string>(make: (data: Exclude<Data, Failed>, pageContext: PageContext) => Value, otherwise: Value) =>
  (pageContext: PageContext): Value =>
    isFailed(pageContext.data) ? otherwise : make(pageContext.data as Exclude<Data, Failed>, pageContext)
