import type { PageContextServer } from 'vike/types'
import { readOrNull } from '#pages/readOrNull.ts'

export type Data = Awaited<ReturnType<typeof data>>

const THREADS = 6
const ARTICLES = 5
/** Limits the wait for a slow radio service. A late response is cached for the next visitor. */
const RADIO_TIMEOUT_MS = 300
/** Limits the wait, so that a database that hangs does not block the page. A busy database answers sooner. */
const LISTS_TIMEOUT_MS = 5000

/** Returns null for each part of Home that cannot be read. */
export async function data({ api }: Pick<PageContextServer, 'api'>) {
  const [threads, articles, activity, nowPlaying] = await Promise.all([
    readOrNull(api.board.latest({ count: THREADS }), LISTS_TIMEOUT_MS),
    readOrNull(api.news.latest({ count: ARTICLES }), LISTS_TIMEOUT_MS),
    readOrNull(api.board.activity(), LISTS_TIMEOUT_MS),
    readOrNull(readOnAir(api), RADIO_TIMEOUT_MS),
  ])
  // The cache does not store a page with missing lists.
  return { threads, articles, activity, nowPlaying, isIncomplete: threads === null || articles === null }
}

/** Reads what the first station plays. Uses the default station if the server cannot read the list of stations. */
async function readOnAir(api: PageContextServer['api']) {
  const { stations } = await api.radio.stations()
  return api.radio.nowPlaying({ stationId: stations[0]?.id ?? 1 })
}
