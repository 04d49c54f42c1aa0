import type { PageContextServer } from 'vike/types'

type Api = PageContextServer['api']
export type Data = Awaited<ReturnType<typeof data>>

const THREADS = 6
const ARTICLES = 5
/** A slow radio service does not delay Home; its response is cached for the next visitor. */
const RADIO_TIMEOUT_MS = 300
/** A busy database responds in this time; without the timeout, a hanging one would block the page. */
const LISTS_TIMEOUT_MS = 5000

/** Reads the live parts of Home. A part that cannot be read is null. */
export async function data({ api }: Pick<PageContextServer, 'api'>) {
  const [threads, articles, nowPlaying] = await Promise.all([
    within(LISTS_TIMEOUT_MS, orNull(api.board.latest({ count: THREADS }))),
    within(LISTS_TIMEOUT_MS, orNull(api.news.latest({ count: ARTICLES }))),
    within(RADIO_TIMEOUT_MS, orNull(readOnAir(api))),
  ])
  // A page without its lists is not cached.
  return { threads, articles, nowPlaying, isIncomplete: threads === null || articles === null }
}

/** Reads what the first station plays, or the default station if the list is not available. */
async function readOnAir(api: Api) {
  const { stations } = await api.radio.stations()
  return api.radio.nowPlaying({ stationId: stations[0]?.id ?? 1 })
}

/** The server logs the error. */
const orNull = <T>(reading: Promise<T>): Promise<T | null> => reading.catch(() => null)

async function within<T>(ms: number, reading: Promise<T>): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null)
  })
  return Promise.race([reading, late]).finally(() => clearTimeout(timer))
}
