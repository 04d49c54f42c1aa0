import { resolve } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '#server/core/config/config.ts'
import { AppError, errors } from '#server/core/errors.ts'
import type { EventHub } from '#server/core/events/eventHub.ts'
import type { ImageProcessor } from '#server/core/media/imageProcessor.ts'
import { addSummaries, type Broadcast, type BroadcastSummary, type Streamer } from '#src/contract/archive.ts'
import { type Station, streamPath } from '#src/contract/radio.ts'
import { type Refusal, refusal } from '#src/contract/refusal.ts'
import type { Site } from '#src/contract/site.ts'
import { createArt } from './art.ts'
import { createAzuraCast } from './azuracast/azuracast.ts'
import { DEMO_TRACK } from './library/demoTrack.ts'
import { createEmbeddedSource } from './library/embeddedSource.ts'
import type { PlannedTracks } from './library/library.ts'
import { LIVE_STATION_ID } from './mix/createLive.ts'
import type { LiveStation } from './mix/types.ts'
import { createNowPlaying } from './output/nowPlaying.ts'
import { createRelay } from './output/relay/relay.ts'
import { createSummaries, endBroadcasts } from './record/archive/summaries.ts'
import { mergeStreamers, NO_RECORDINGS, type RecordingArchive } from './record/archive.ts'
import { createResponseCache } from './responseCache.ts'
import { type Radio, type RadioSource, RadioUnavailable } from './types.ts'

export type RadioDeps = {
  config: Pick<Config, 'radio' | 'siteUrl' | 'dataDir' | 'allowPrivateNetwork'>
  eventHub: Pick<EventHub, 'hasSubscribers' | 'broadcast'>
  images: Pick<ImageProcessor, 'thumbnail'>
  secret: Uint8Array
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
  now: () => Date
  /** requested tracks, for the embedded station; null if it takes no requests */
  planned?: (PlannedTracks & { close(): void }) | null
  /** returns the path of the thread of a station's live broadcast; null if there is none */
  liveThread?: (stationId: number) => Promise<string | null>
  live: LiveStation
  site: Pick<Site, 'name' | 'radio'>
  /** replaces the configured source in tests */
  source?: RadioSource
  /** recordings of the site; none with a radio service, whose ids would be the same */
  recordings?: RecordingArchive
}

type SourceStation = Awaited<ReturnType<RadioSource['stations']>>[number]

const DEFAULT_STATION_ID = 1
/** The service may refuse a client that sends more than two requests within 5 s. */
const SERVICE_PAUSE_MS = 5_000
const LIST_CACHE = { ttlMs: 10_000, failureTtlMs: 3_000, ageFrom: 'response' } as const

export function createRadio(deps: RadioDeps): Radio {
  const { config, eventHub, images, log, now, secret, recordings = NO_RECORDINGS } = deps
  const isBuiltIn = !deps.source && !config.radio.service
  const failingCalls = new Set<string>()
  const source = logFailures(deps.source ?? createSource(deps), log, failingCalls)
  const lists = { ...LIST_CACHE, now }
  const stationLists = createResponseCache<'all', SourceStation[]>({ ...lists, max: 1 })
  const archiveLists = { ...lists, isOutage: (error: unknown) => error instanceof RadioUnavailable }
  const streamerLists = createResponseCache<number, Streamer[]>({ ...archiveLists, max: 100 })
  const broadcastLists = createResponseCache<string, Broadcast[]>({ ...archiveLists, max: 500 })
  /** Stations in the last list from the source. Other stations are rejected, except for the default station. */
  let knownStations = new Map<number, SourceStation>()
  const streamTypes = new Map<number, string>()
  /** stations whose direct stream would be blocked; each is logged once */
  const relayedStations = new Set<number>()

  const art = createArt({ source, images, secret, now })
  const relay = createRelay({
    source,
    maxListeners: config.radio.maxListeners,
    log,
    // The built-in station knows more of a track than its title.
    onTitle: (stationId, title) =>
      isBuiltIn ? nowPlaying.reset(stationId) : nowPlaying.setStreamTitle(stationId, title),
  })
  const nowPlaying = createNowPlaying({
    source,
    listeners: (id) => relay.listeners(id),
    eventHub,
    artPath: art.path,
    liveThread: deps.liveThread,
    now,
  })

  deps.live.onChange(() => nowPlaying.reset(LIVE_STATION_ID))

  const summaries = createSummaries({
    listStreamers: listSourceStreamers,
    listBroadcasts: listSourceBroadcasts,
    pauseMs: config.radio.service ? SERVICE_PAUSE_MS : 0,
    now,
  })

  async function listStations(): Promise<SourceStation[]> {
    const { value } = await stationLists.get('all', () => source.stations())
    knownStations = new Map(value.map((station) => [station.id, station]))
    return value
  }

  /** Accepts the default station without a list: it may work even if the service cannot list its stations. */
  async function assertStationExists(stationId: number): Promise<void> {
    assertValidId(stationId, refusal('radio.stationNotFound'))
    if (stationId === DEFAULT_STATION_ID || knownStations.has(stationId)) return
    const stations = await listStations()
    if (!stations.some(({ id }) => id === stationId)) throw errors.notFound(refusal('radio.stationNotFound'))
  }

  async function listSourceStreamers(stationId: number): Promise<Streamer[]> {
    await assertStationExists(stationId)
    return (await streamerLists.get(stationId, () => source.streamers(stationId))).value
  }

  async function listSourceBroadcasts(stationId: number, streamerId: number): Promise<Broadcast[]> {
    const request = async () =>
      endBroadcasts(await source.broadcasts(stationId, streamerId), () => isStreamerLive(stationId, streamerId))
    const { value } = await broadcastLists.get(`${stationId}/${streamerId}`, request)
    summaries.record(stationId, streamerId, value)
    return value
  }

  /** Returns true if the service does not tell, because a running broadcast must not be offered. */
  async function isStreamerLive(stationId: number, streamerId: number): Promise<boolean> {
    const { available, live } = await nowPlaying.read(stationId)
    const streamer = (await listSourceStreamers(stationId)).find(({ id }) => id === streamerId)
    if (!available || !streamer) return true
    return live.isLive && [streamer.display_name, streamer.streamer_username].includes(live.streamer)
  }

  /** Recordings of the site are never cached, because their changes show at once. */
  const listStreamers = async (stationId: number): Promise<Streamer[]> =>
    mergeStreamers(await listSourceStreamers(stationId), await recordings.streamers(stationId))

  async function listBroadcasts(stationId: number, streamerId: number): Promise<Broadcast[]> {
    assertValidId(streamerId, refusal('archive.notFound'))
    const fromSource = (await listSourceStreamers(stationId)).some(({ id }) => id === streamerId)
    const streamer = (await recordings.streamers(stationId)).find(({ id }) => id === streamerId)
    if (!fromSource && !streamer) throw errors.notFound(refusal('archive.notFound'))
    return [
      ...(streamer ? await recordings.broadcasts(stationId, streamer.name) : []),
      ...(fromSource ? await listSourceBroadcasts(stationId, streamerId) : []),
    ]
  }

  async function readSummaries(stationId: number): Promise<Record<number, BroadcastSummary>> {
    const merged = await summaries.read(stationId)
    for (const { id, summary } of await recordings.streamers(stationId)) {
      merged[id] = merged[id] ? addSummaries(merged[id], summary) : summary
    }
    return merged
  }

  /** Browsers block sound without TLS on a page with TLS, so the relay serves such a stream. */
  function isDirect({ id, listenUrl }: SourceStation): boolean {
    if (!config.radio.direct || listenUrl === '') return false
    const isBlocked = config.siteUrl.startsWith('https:') && listenUrl.startsWith('http:')
    if (isBlocked && !relayedStations.has(id)) {
      relayedStations.add(id)
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

  /**
   * Returns the origins of direct streams for the Content-Security-Policy. Allows any origin until the stations are
   * known.
   */
  function mediaSources(): string[] {
    if (!config.radio.direct) return []
    if (knownStations.size === 0) {
      listStations().catch(() => {})
      return ['https:', 'http:']
    }
    const direct = [...knownStations.values()].filter(isDirect)
    return [...new Set(direct.map(({ listenUrl }) => new URL(listenUrl).origin))]
  }

  return {
    mediaSources,
    stations: () =>
      toAnswer(
        'stations',
        listStations().then((stations) => stations.map(toStation)),
      ),
    streamers: (stationId) => toAnswer('streamers', listStreamers(stationId)),
    broadcasts: (...ids) => toAnswer('broadcasts', listBroadcasts(...ids)),
    assertStation: (stationId) => withFallback(assertStationExists(stationId), () => {}),
    nowPlaying: (stationId) =>
      withFallback(
        assertStationExists(stationId).then(() => nowPlaying.read(stationId)),
        () => nowPlaying.getFallback(stationId),
      ),
    async refreshNowPlaying(stationId, onRead) {
      await assertStationExists(stationId)
      nowPlaying.refresh(stationId, onRead)
    },
    summaries: (stationId) => withFallback(readSummaries(stationId), () => ({})),
    latestBroadcasts: async (stationId) => {
      const recorded = await recordings.latest(stationId)
      return [...recorded, ...(await withFallback(summaries.readLatest(stationId), () => []))]
    },
    async openRecording(ids, range, signal) {
      const broadcasts = await listBroadcasts(ids.stationId, ids.streamerId)
      if (!broadcasts.some(({ id }) => id === ids.broadcastId)) throw errors.notFound(refusal('archive.notFound'))
      if (recordings.has(ids.broadcastId)) return recordings.open(ids.broadcastId, range, signal)
      return source.openRecording(ids, range, signal)
    },
    art: art.read,
    tracks: source.tracks ?? null,
    async listen(stationId, listener) {
      await assertStationExists(stationId)
      const subscription = await relay.listen(stationId, listener)
      streamTypes.set(stationId, subscription.type)
      // Starts polling. Polling continues while the station has listeners.
      nowPlaying.read(stationId).catch(() => {})
      nowPlaying.publishListenerCount(stationId)
      const leave = () => {
        subscription.leave()
        nowPlaying.publishListenerCount(stationId)
      }
      return { ...subscription, leave }
    },
    streamType: (stationId) => source.streamType?.() ?? streamTypes.get(stationId) ?? null,
    stats() {
      const listeners = relay.listenerCounts()
      return { listeners, streams: listeners.length, failingCalls: [...failingCalls] }
    },
    async close() {
      summaries.close()
      nowPlaying.close()
      deps.planned?.close()
      await relay.close()
      await source.close()
    },
  }
}

function assertValidId(id: number, missing: Refusal): void {
  if (id < 0) throw errors.notFound(missing)
}

async function toAnswer<Name extends string, Item>(name: Name, list: Promise<Item[]>) {
  const items = await withFallback(list, () => null)
  return { [name]: items ?? [], available: items !== null } as Record<Name, Item[]> & { available: boolean }
}

async function withFallback<T, F>(answer: Promise<T>, fallback: () => F): Promise<T | F> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof RadioUnavailable) return fallback()
    throw error
  }
}

function createSource({ config, site, planned, log, now, live }: RadioDeps): RadioSource {
  return config.radio.service
    ? createAzuraCast({ ...config.radio.service, allowPrivateStreams: config.allowPrivateNetwork, now })
    : createEmbeddedSource({
        ...{ dir: resolve(config.dataDir, 'radio'), planned, now, log },
        demo: { path: DEMO_TRACK, artist: site.name },
        station: site.radio,
        live,
      })
}

/**
 * Wraps a source so that it throws only AppError or RadioUnavailable. Logs the first failure of a call and its
 * recovery.
 */
function logFailures(source: RadioSource, log: RadioDeps['log'], failingCalls: Set<string>): RadioSource {
  const wrap =
    <A extends unknown[], T>(call: string, request: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      try {
        const answer = await request(...args)
        if (failingCalls.delete(call)) log.info({ call }, 'radio source recovered')
        return answer
      } catch (error) {
        const isAborted = args.some((arg) => arg instanceof AbortSignal && arg.aborted)
        if (error instanceof AppError || isAborted) throw error
        const isExpected = error instanceof RadioUnavailable
        if (!isExpected) log.error({ err: error, call }, 'radio source failed unexpectedly')
        else if (!failingCalls.has(call)) log.warn({ call, reason: error.message }, 'radio source is unavailable')
        failingCalls.add(call)
        throw isExpected ? error : new RadioUnavailable('source failed unexpectedly')
      }
    }
  return {
    stations: wrap('stations', () => source.stations()),
    nowPlaying: wrap('nowPlaying', (id) => source.nowPlaying(id)),
    streamers: wrap('streamers', (id) => source.streamers(id)),
    broadcasts: wrap('broadcasts', (...ids) => source.broadcasts(...ids)),
    openStream: wrap('stream', (...args) => source.openStream(...args)),
    openRecording: wrap('recording', (...args) => source.openRecording(...args)),
    readArt: (reference) => source.readArt(reference),
    tracks: source.tracks,
    streamType: source.streamType,
    close: () => source.close(),
  }
}
