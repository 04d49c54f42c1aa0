import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '#server/core/config/config.ts'
import { errors } from '#server/core/errors.ts'
import { type Station, streamPath } from '#src/contract/radio.ts'
import { refusal } from '#src/contract/refusal.ts'
import { createResponseCache } from './responseCache.ts'
import { type RadioSource, STATION_ID } from './types.ts'

type SourceStation = Awaited<ReturnType<RadioSource['stations']>>[number]
type Deps = {
  source: Pick<RadioSource, 'stations' | 'tracks'>
  config: Pick<Config, 'radio' | 'siteUrl'>
  log: Pick<FastifyBaseLogger, 'warn'>
  now: () => Date
}

/** The stations of the source, and which of them browsers play directly. */
export function createStations({ source, config, log, now }: Deps) {
  const lists = createResponseCache<'all', SourceStation[]>({ now, max: 1 })
  /** Stations in the last list from the source. Other stations are rejected, except for the default station. */
  let known = new Map<number, SourceStation>()
  /** stations whose direct stream would be blocked; each is logged once */
  const relayed = new Set<number>()

  async function list(): Promise<SourceStation[]> {
    const { value } = await lists.get('all', () => source.stations())
    known = new Map(value.map((station) => [station.id, station]))
    return value
  }

  /** Browsers block sound without TLS on a page with TLS, so the relay serves such a stream. */
  function isDirect({ id, listenUrl }: SourceStation): boolean {
    if (!config.radio.direct || listenUrl === '') return false
    const isBlocked = config.siteUrl.startsWith('https:') && listenUrl.startsWith('http:')
    if (isBlocked && !relayed.has(id)) {
      relayed.add(id)
      log.warn(
        { stationId: id },
        'The relay serves this station despite RADIO_DIRECT: the site has https, and browsers block its http stream. Give the stream an https URL',
      )
    }
    return !isBlocked
  }

  function toStation(station: SourceStation): Station {
    const { id, name, description, listenUrl } = station
    const direct = isDirect(station)
    const listen_url = direct ? listenUrl : `${config.siteUrl}${streamPath(id)}`
    return { id, name, description, listen_url, direct, takesRequests: Boolean(source.tracks) }
  }

  return {
    list: async (): Promise<Station[]> => (await list()).map(toStation),

    /**
     * Accepts the default station without a list: it may work even if the service cannot list its stations.
     * @throws AppError NOT_FOUND
     */
    async assertExists(stationId: number): Promise<void> {
      if (stationId === STATION_ID || known.has(stationId)) return
      const isListed = stationId >= 0 && (await list()).some(({ id }) => id === stationId)
      if (!isListed) throw errors.notFound(refusal('radio.stationNotFound'))
    },

    /**
     * Returns the origins of direct streams for the Content-Security-Policy. Allows any origin until the stations are
     * known.
     */
    mediaSources(): string[] {
      if (!config.radio.direct) return []
      if (known.size === 0) {
        list().catch(() => {})
        return ['https:', 'http:']
      }
      const direct = [...known.values()].filter(isDirect)
      return [...new Set(direct.map(({ listenUrl }) => new URL(listenUrl).origin))]
    },
  }
}
