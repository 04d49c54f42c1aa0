import { trpc } from '#src/lib/trpc.ts'
import { getPlayer, setPlayer } from '#src/player/store.ts'

export async function refreshStations(): Promise<void> {
  try {
    const { stations } = await (await trpc()).radio.stations.query()
    const first = stations[0]
    if (!first) return
    const isSelectedAvailable = stations.some(({ id }) => id === getPlayer().stationId)
    setPlayer({ stations, ...(!isSelectedAvailable && { stationId: first.id }) })
  } catch {
    // If the request fails, keeps the known stations. Their streams may still work.
  }
}
