import type { PageContextServer } from 'vike/types'
import { readOnAir, readOrNull } from '#pages/pageData.ts'

export type Data = Awaited<ReturnType<typeof data>>

const THREADS = 6
const ARTICLES = 5
/** Limits the wait, so that a database that hangs does not block the page. A busy database answers sooner. */
const LISTS_TIMEOUT_MS = 5000

/** Returns null for each part of Home that cannot be read. */
export async function data({ api }: Pick<PageContextServer, 'api'>) {
  const [threads, articles, activity, upcoming, onAir] = await Promise.all([
    readOrNull(api.board.latest({ count: THREADS }), LISTS_TIMEOUT_MS),
    readOrNull(api.news.latest({ count: ARTICLES }), LISTS_TIMEOUT_MS),
    readOrNull(api.board.activity(), LISTS_TIMEOUT_MS),
    readOrNull(api.show.upcoming(), LISTS_TIMEOUT_MS),
    readOnAir(api),
  ])
  // The cache does not store a page with missing lists.
  const isIncomplete = threads === null || articles === null
  return {
    threads,
    articles,
    activity,
    nextShow: nextOf(upcoming),
    nowPlaying: onAir?.nowPlaying ?? null,
    isIncomplete,
  }
}

/** Sends only what Home shows. */
function nextOf(upcoming: Awaited<ReturnType<PageContextServer['api']['show']['upcoming']>> | null) {
  if (!upcoming?.next) return null
  const { startsAt, show } = upcoming.next
  return { startsAt, title: show.title, streamer: show.streamer }
}
