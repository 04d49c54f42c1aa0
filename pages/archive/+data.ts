import type { PageContextServer } from 'vike/types'
import { loadPageData } from '#pages/pageData.ts'

export type Data = Awaited<ReturnType<typeof data>>

/** Reads the streamers of the first station. Without JavaScript, `?streamer=3` adds the broadcasts of one streamer. */
export const data = ({ api, config, urlParsed: { search } }: PageContextServer) =>
  loadPageData(config, () => read(api, search.streamer))

async function read(api: PageContextServer['api'], wanted: string | undefined) {
  // Read the event id first: a change during the queries is then replayed, not missed.
  const { lastEventId } = await api.archive.lastEvent()
  const { stations, available } = await api.radio.stations()
  if (!available) throw new Error('The radio isn’t responding')
  const [station] = stations
  if (!station) return { stationId: 0, streamers: [], summaries: {}, opened: null, lastEventId }
  const list = await api.archive.streamers({ stationId: station.id })
  if (!list.available) throw new Error('The radio isn’t responding')
  const streamer = list.streamers.find(({ id }) => String(id) === wanted)
  return {
    stationId: station.id,
    streamers: list.streamers,
    summaries: await api.archive.summaries({ stationId: station.id }),
    opened: streamer ? await readOpened(api, station.id, streamer.id) : null,
    lastEventId,
  }
}

/** Returns null as `broadcasts` if the list cannot be read, so that the page still renders. */
async function readOpened(api: PageContextServer['api'], stationId: number, streamerId: number) {
  try {
    const { broadcasts, available } = await api.archive.broadcasts({ stationId, streamerId })
    return { streamerId, broadcasts: available ? broadcasts : null }
  } catch {
    return { streamerId, broadcasts: null }
  }
}
