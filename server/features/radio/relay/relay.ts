import type { FastifyBaseLogger } from 'fastify'
import { AppError, errors } from '#server/core/errors.ts'
import { type RadioSource, RadioUnavailable, type RelayListener } from '#server/features/radio/types.ts'
import { radioMessages } from '#src/contract/radio.ts'
import { createRelayStation, type RelayStation } from './relayStation.ts'

/** The next one to listen, soon after the last has left, finds the stream running. */
const LINGER_MS = 30_000
/** Guards the source: a stream that failed is asked for by nobody for so long. */
const RETRY_DELAY_MS = 1000
/** Guards memory and the log. */
const MAX_LOGGED_TYPES = 100

export type RelayDeps = {
  source: Pick<RadioSource, 'openStream'>
  /** over all stations */
  maxListeners: number
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>
  /** told when the title in a stream's metadata changes; '' when it has none */
  onTitle: (stationId: number, title: string) => void
  /** how long a stream is kept when nobody listens any more */
  lingerMs?: number
}

/** Passes stations on to any number of listeners, each over one upstream that is open only while it is wanted. */
export function createRelay({ source, maxListeners, log, onTitle, lingerMs = LINGER_MS }: RelayDeps) {
  const stations = new Map<number, RelayStation>()
  const recentFailures = new Map<number, { failure: Error; timer: NodeJS.Timeout }>()
  const loggedTypes = new Set<string>()
  let closed = false

  function open(stationId: number): RelayStation {
    const station = createRelayStation({
      source,
      stationId,
      log,
      lingerMs,
      onTitle: (title) => onTitle(stationId, title),
      onUnknownType: (type) => logUnknownType(stationId, type.slice(0, 100)),
      onEnd: (failure) => {
        stations.delete(stationId)
        if (closed || !failure || failure instanceof AppError) return
        const timer = setTimeout(() => recentFailures.delete(stationId), RETRY_DELAY_MS)
        recentFailures.set(stationId, { failure, timer })
      },
    })
    stations.set(stationId, station)
    return station
  }

  function logUnknownType(stationId: number, type: string): void {
    if (loggedTypes.has(type) || loggedTypes.size >= MAX_LOGGED_TYPES) return
    loggedTypes.add(type)
    log.warn({ stationId, type }, 'a radio stream is of a type that cannot be relayed')
  }

  return {
    listeners: (stationId: number) => stations.get(stationId)?.listeners() ?? 0,

    /** By station, each being one stream from the source. */
    listenerCounts: (): [stationId: number, listeners: number][] =>
      [...stations].map(([stationId, station]) => [stationId, station.listeners()]),

    /**
     * Adds a listener; it is written to only after this has resolved, with the media type, and what was done then.
     * @throws RadioUnavailable; AppError with 503 at the cap; what the source refuses
     */
    async listen(stationId: number, listener: RelayListener): Promise<{ type: string; leave: () => void }> {
      if (closed) throw new RadioUnavailable('the radio is being closed')
      const all = [...stations.values()].reduce((sum, station) => sum + station.size(), 0)
      if (all >= maxListeners) throw errors.unavailable(radioMessages.full)
      const rest = recentFailures.get(stationId)
      if (rest) throw rest.failure
      return (stations.get(stationId) ?? open(stationId)).listen(listener)
    },

    async close() {
      closed = true
      for (const station of stations.values()) station.close()
      for (const { timer } of recentFailures.values()) clearTimeout(timer)
      recentFailures.clear()
    },
  }
}
