import type { Station } from '#src/contract/radio.ts'
import { getPlayer, setPlayer } from '#src/player/store.ts'

/** Does not use the tRPC client, because most visitors would load it only for the player. */
export async function refreshStations(): Promise<void> {
  try {
    const { stations } = (await (await fetch('/api/radio/stations')).json()) as { stations: Station[] }
    const first = stations[0]
    if (!first) return
    const isSelectedAvailable = stations.some(({ id }) => id === getPlayer().stationId)
    setPlayer({ stations, ...(!isSelectedAvailable && { stationId: first.id }) })
  } catch {
    // If the request fails, keeps the known stations. Their streams may still work.
  }
}
