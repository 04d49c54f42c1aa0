import { trpc } from '#src/lib/trpc.ts'
import { getPlayer, setPlayer } from '#src/player/store.ts'

/** Asks what stations there are; the one chosen before stays if it is still there, else the first is taken. */
export async function refreshStations(): Promise<void> {
  try {
    const { stations } = await (await trpc()).radio.stations.query()
    const first = stations[0]
    if (!first) return
    const kept = stations.some(({ id }) => id === getPlayer().stationId)
    setPlayer({ stations, ...(!kept && { stationId: first.id }) })
  } catch {
    // no answer: what is known stays, and the stream itself is tried
  }
}
