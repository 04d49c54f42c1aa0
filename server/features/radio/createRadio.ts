import { resolve } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '#server/core/config/config.ts'
import type { EventHub } from '#server/core/events/eventHub.ts'
import type { ImageProcessor } from '#server/core/media/imageProcessor.ts'
import { isOwnRecording } from '#src/contract/archive.ts'
import type { Site } from '#src/contract/site.ts'
import { createArt } from './art.ts'
import { createAzuraCast } from './azuracast/azuracast.ts'
import { createEmbeddedSource } from './library/embeddedSource.ts'
import { DEMO_TRACK, type PlannedTracks } from './library/library.ts'
import type { LiveStation } from './mix/types.ts'
import { createNowPlaying } from './output/nowPlaying.ts'
import { createRelay } from './output/relay/relay.ts'
import { createArchiveLists } from './record/archive/lists.ts'
import type { RecordingArchive } from './record/archive.ts'
import { logFailures, toAnswer, withFallback } from './responseCache.ts'
import { createStations } from './stations.ts'
import { type RadioSource, type RelayListener, STATION_ID } from './types.ts'

type RadioDeps = {
  config: Pick<Config, 'radio' | 'siteUrl' | 'dataDir' | 'allowPrivateNetwork'>
  eventHub: Pick<EventHub, 'hasSubscribers' | 'broadcast'>
  images: Pick<ImageProcessor, 'thumbnail'>
  secret: Uint8Array
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
  now: () => Date
  /** requested tracks, for the embedded station; null if it takes no requests */
  planned?: PlannedTracks | null
  /** returns the path of the thread of a station's live broadcast; null if there is none */
  liveThread?: (stationId: number) => Promise<string | null>
  live: LiveStation
  site: Pick<Site, 'name' | 'radio'>
  /** replaces the configured source in tests */
  source?: RadioSource
  /** recordings of the site; none with a radio service, whose ids would be the same */
  recordings?: RecordingArchive
}

/** The service may refuse a client that sends more than two requests within 5 s. */
const SERVICE_PAUSE_MS = 5_000

/** The stations of the site: what they play, their sound and their archive. */
export type Radio = ReturnType<typeof createRadio>

declare module '#server/core/context.ts' {
  interface Services {
    radio: Radio
  }
}

/** Calls throw AppError NOT_FOUND for an unknown station. While the service does not answer, lists are empty. */
export function createRadio(deps: RadioDeps) {
  const { config, eventHub, images, log, now, secret, recordings = null } = deps
  const isBuiltIn = !deps.source && !config.radio.service
  const failingCalls = new Set<string>()
  const source = logFailures(deps.source ?? createSource(deps), log, failingCalls)
  const streamTypes = new Map<number, string>()

  const stations = createStations({ source, config, log, now })
  const { assertExists } = stations
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
  const archive = createArchiveLists({
    ...{ source, recordings, assertStation: assertExists, readNowPlaying: nowPlaying.read, now },
    pauseMs: config.radio.service ? SERVICE_PAUSE_MS : 0,
  })
  deps.live.onChange(() => nowPlaying.reset(STATION_ID))

  return {
    /** External origins from which browsers play audio. */
    mediaSources: stations.mediaSources,
    stations: () => toAnswer('stations', stations.list()),
    streamers: (stationId: number) => toAnswer('streamers', archive.streamers(stationId)),
    broadcasts: (stationId: number, streamerId: number) =>
      toAnswer('broadcasts', archive.broadcasts(stationId, streamerId)),
    /** Accepts any station while the service does not answer. */
    assertStation: (stationId: number) => withFallback(assertExists(stationId), () => {}),
    nowPlaying: (stationId: number) =>
      withFallback(
        assertExists(stationId).then(() => nowPlaying.read(stationId)),
        () => nowPlaying.getFallback(stationId),
      ),
    /**
     * Asks the source what a station plays, without waiting for the next poll.
     * @param onRead is called after the source answered
     * @throws RadioUnavailable
     */
    async refreshNowPlaying(stationId: number, onRead: () => void): Promise<void> {
      await assertExists(stationId)
      nowPlaying.refresh(stationId, onRead)
    },
    follow: nowPlaying.follow,
    /** Returns what is known of each streamer's broadcasts, by the streamer's id. */
    summaries: (stationId: number) => withFallback(archive.summaries(stationId), () => ({})),
    /** Returns the newest recordings that are known, for the podcast. */
    latestBroadcasts: async (stationId: number) => [
      ...(await archive.latestOfSite(stationId)),
      ...(await withFallback(archive.latestOfSource(stationId), () => [])),
    ],
    /** Opens a recording that `broadcasts` lists. @throws RadioUnavailable; AppError NOT_FOUND */
    openRecording: ((ids, range, signal) =>
      recordings && isOwnRecording(ids.broadcastId)
        ? recordings.open(ids.broadcastId, range, signal)
        : source.openRecording(ids, range, signal)) satisfies RadioSource['openRecording'],
    art: art.read,
    /** null if the station takes no requests */
    tracks: source.tracks ?? null,
    /** Resolves when audio is available. @throws RadioUnavailable; AppError 503 for too many listeners */
    async listen(stationId: number, listener: RelayListener): Promise<{ type: string; leave: () => void }> {
      await assertExists(stationId)
      const { type, leave } = await relay.listen(stationId, listener)
      streamTypes.set(stationId, type)
      // Starts polling. Polling continues while the station has listeners.
      nowPlaying.read(stationId).catch(() => {})
      nowPlaying.publishListenerCount(stationId)
      return {
        type,
        leave: () => {
          leave()
          nowPlaying.publishListenerCount(stationId)
        },
      }
    },
    /** Returns the media type of a station's stream, or null if nobody has listened to it yet. */
    streamType: (stationId: number): string | null => source.streamType?.() ?? streamTypes.get(stationId) ?? null,
    /** For metrics: listeners per station, open streams, and the calls whose last attempt failed. */
    stats() {
      const listeners = relay.listenerCounts()
      return { listeners, streams: listeners.length, failingCalls: [...failingCalls] }
    },
    async close(): Promise<void> {
      archive.close()
      nowPlaying.close()
      await relay.close()
      await source.close()
    },
  }
}

function createSource({ config, site, planned, log, now, live }: RadioDeps): RadioSource {
  return config.radio.service
    ? createAzuraCast({ ...config.radio.service, allowPrivateStreams: config.allowPrivateNetwork, now })
    : createEmbeddedSource({
        ...{ dir: resolve(config.dataDir, 'radio'), planned, live, now, log },
        demo: { path: DEMO_TRACK, artist: site.name },
        station: site.radio,
      })
}
