import { render } from 'vike/abort'
import type { PageContext, PageContextServer } from 'vike/types'
import { currentLanguage } from '#src/i18n/currentLanguage.ts'
import { refusalText } from '#src/i18n/refusalText.ts'

/** Replaces data that did not load. The page shows the error, and the response has status 503. */
export type LoadFailure = { error: string }
/** Data that did load. */
export type Loaded<Data> = Exclude<Data, LoadFailure>

/**
 * Loads a page's data. A missing item becomes a 404 page and a deleted item a 410 page. For all other errors, the page
 * shows the `failure` of its head.
 */
export async function loadPageData<T extends object>(
  { head }: PageContextServer['config'],
  data: Promise<T>,
): Promise<T | LoadFailure> {
  try {
    return await data
  } catch (thrown) {
    const failure = head?.failure?.() ?? ''
    const { code, refusal, gone } = thrown as { code?: unknown; refusal?: string; gone?: boolean }
    if (code === 'NOT_FOUND') throw render(gone ? 410 : 404, refusalText(refusal ?? '', currentLanguage()) || failure)
    return { error: failure }
  }
}

export const isFailed = (data: unknown): data is LoadFailure =>
  typeof data === 'object' && data !== null && 'error' in data

/** Replaces a page's data in the browser if the data does not load. */
export const fallbackDataOf = ({ head }: PageContext['config']): unknown =>
  head?.fallbackData ?? { error: head?.failure?.() ?? '' }

/** Leaves the HTML of posts out of the data that the browser gets with a document, which has the HTML already. */
export const leaveOutHtml = (page: { html?: unknown }) => Object.defineProperty(page, 'html', { enumerable: false })
