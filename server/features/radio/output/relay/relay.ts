import { errors } from '#server/core/errors.ts'
import { RadioUnavailable, type RelayListener } from '#server/features/radio/types.ts'
import { refusal } from '#src/contract/refusal.ts'
import { createRelayStation, type RelayDeps, type RelayStation } from './relayStation.ts'

/** Limits load on the source: after a failure, requests fail immediately for this time. */
const RETRY_DELAY_MS = 1000

export function createRelay({ maxListeners, ...deps }: RelayDeps & { maxListeners: number }) {
  const stations = new Map<number, RelayStation>()
  const failures = new Map<number, { failure: RadioUnavailable; at: number }>()
  let closed = false

  function open(stationId: number): RelayStation {
    const station = createRelayStation(deps, stationId, (failure) => {
      stations.delete(stationId)
      // The title of a stream that has ended says nothing about the next one.
      deps.onTitle(stationId, '')
      if (!(failure instanceof RadioUnavailable)) return void failures.delete(stationId)
      const { reason } = failure
      // Repeated attempts of listeners are logged once.
      if (reason !== failures.get(stationId)?.failure.reason)
        deps.log.warn({ stationId, reason }, 'radio stream is unavailable')
      failures.set(stationId, { failure, at: performance.now() })
    })
    stations.set(stationId, station)
    return station
  }

  return {
    listeners: (stationId: number) => stations.get(stationId)?.listeners() ?? 0,

    listenerCounts: (): [stationId: number, listeners: number][] =>
      [...stations].map(([stationId, station]) => [stationId, station.listeners()]),

    /** @throws RadioUnavailable; AppError 503 when there are too many listeners; errors from the source */
    async listen(stationId: number, listener: RelayListener): Promise<{ type: string; leave: () => void }> {
      if (closed) throw new RadioUnavailable('radio is closing')
      const listenerCount = [...stations.values()].reduce((sum, station) => sum + station.size(), 0)
      if (listenerCount >= maxListeners) throw errors.unavailable(refusal('radio.full'))
      const last = failures.get(stationId)
      if (last && performance.now() - last.at < RETRY_DELAY_MS) throw last.failure
      return (stations.get(stationId) ?? open(stationId)).listen(listener)
    },

    async close() {
      closed = true
      await Promise.all([...stations.values()].map((station) => station.close()))
    },
  }
}
