import type { PageContextServer } from 'vike/types'

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
