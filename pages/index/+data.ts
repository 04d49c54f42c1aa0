import type { PageContextServer } from 'vike/types'

type Api = PageContextServer['api']
export type Data = Awaited<ReturnType<typeof data>>

const THREADS = 6
const ARTICLES = 5
/** Home waits no longer for a radio that is slow or away; its answer is there for the next visitor. */
const RADIO_WITHIN_MS = 300
/** Longer than a busy database takes; one that says nothing at all would take the whole page with it. */
const LISTS_WITHIN_MS = 5000

/** What lives, each part by itself: what cannot be read is null, and Home stands without it. */
export async function data({ api }: Pick<PageContextServer, 'api'>) {
  const [threads, articles, nowPlaying] = await Promise.all([
    within(LISTS_WITHIN_MS, orNull(api.board.latest({ count: THREADS }))),
    within(LISTS_WITHIN_MS, orNull(api.news.latest({ count: ARTICLES }))),
    within(RADIO_WITHIN_MS, orNull(readOnAir(api))),
  ])
  // Without its lists Home stands, but is nothing to keep.
  return { threads, articles, nowPlaying, lacks: threads === null || articles === null }
}

/** What the first station plays; of a service that cannot list its stations, whatever it says of the one there is. */
async function readOnAir(api: Api) {
  const { stations } = await api.radio.stations()
  return api.radio.nowPlaying({ stationId: stations[0]?.id ?? 1 })
}

/** The reason is in the log, where the server notes every call of a page that fails. */
const orNull = <T>(reading: Promise<T>): Promise<T | null> => reading.catch(() => null)

async function within<T>(ms: number, reading: Promise<T>): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null)
  })
  return Promise.race([reading, late]).finally(() => clearTimeout(timer))
}
