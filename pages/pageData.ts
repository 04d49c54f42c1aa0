import { render } from 'vike/abort'
import type { PageContext, PageContextServer } from 'vike/types'
import { formatCursor, parseCursor } from '#src/contract/thread.ts'
import { currentLanguage } from '#src/i18n/currentLanguage.ts'
import { refusalText } from '#src/i18n/refusalText.ts'
import { t } from '#src/i18n/t.ts'

/** Replaces data that did not load. The page shows the error, and the response has status 503. */
type LoadFailure = { error: string }
/** Data that did load. */
export type Loaded<Data> = Exclude<Data, LoadFailure>

/**
 * Loads a page's data. A missing item becomes a 404 page and a deleted item a 410 page. For all other errors, the page
 * shows the `failure` of its head.
 */
export async function loadPageData<T extends object>(
  { head }: PageContextServer['config'],
  load: () => Promise<T>,
): Promise<T | LoadFailure> {
  try {
    return await load()
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

/** Loads the part of a list of threads that the URL names. An invalid cursor means the first part. */
export async function loadListPart<Part extends { html?: string; count: number }>(
  { config, urlParsed, isClientSideNavigation }: PageContextServer,
  readPart: (cursor: string | undefined) => Promise<Part>,
) {
  const after = parseCursor(urlParsed.search.cursor)
  const cursor = after ? formatCursor(after) : undefined
  const found = await loadPageData(config, async () => ({ cursor, list: await readPart(cursor) }))
  if (isFailed(found)) return found
  // The cursor is beyond the last thread.
  if (after && found.list.count === 0) throw render(404, t('ui.pageNotFound'))
  if (!isClientSideNavigation) leaveOutHtml(found.list)
  return found
}

/** Limits the wait for a slow radio service. A late response is cached for the next visitor. */
const RADIO_TIMEOUT_MS = 300
const DEFAULT_STATION_ID = 1

/** Reads what the first station plays, or null. Uses the default station if the server cannot read the list of stations. */
export const readOnAir = (api: Pick<PageContextServer['api'], 'radio'>) => readOrNull(read(api), RADIO_TIMEOUT_MS)

async function read(api: Pick<PageContextServer['api'], 'radio'>) {
  const { stations } = await api.radio.stations()
  const stationId = stations[0]?.id ?? DEFAULT_STATION_ID
  return { stationId, nowPlaying: await api.radio.nowPlaying({ stationId }) }
}

/** Returns null after an error or the timeout. The server already logs the error. */
export const readOrNull = <T>(reading: Promise<T>, timeoutMs: number) =>
  new Promise<T | null>((resolve) => {
    setTimeout(resolve, timeoutMs, null).unref()
    reading.then(resolve, () => resolve(null))
  })
