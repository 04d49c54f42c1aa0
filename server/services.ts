import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { DatabaseHandle } from '#db/client.server.ts'
import { readEventPosts } from '#server/features/board/read/singlePosts.ts'
import { refusal } from '#src/contract/refusal.ts'
import { defaultSite, type Site } from '#src/contract/site.ts'
import { createSessions } from './core/auth/sessions.ts'
import { createBackupBucket } from './core/backup/backupBucket.ts'
import { type BackupDestination, createBackupFolder } from './core/backup/destination.ts'
import { createPageCache } from './core/cache/pageCache.ts'
import type { Config } from './core/config/config.ts'
import type { Services } from './core/context.ts'
import { createEventHub } from './core/events/eventHub.ts'
import { createFetcher } from './core/http/fetcher.ts'
import { createManualRuns } from './core/jobs/jobRunner.ts'
import { createMemoryBudget } from './core/limits/networkBudget.ts'
import { createLargeReads, createRequestCosts } from './core/limits/requestCost.ts'
import { createImageProcessor } from './core/media/imageProcessor.ts'
import type { Secrets } from './core/security/secrets.ts'
import { createFreeSpaceReader } from './core/storage/diskSpace.ts'
import type { FileStore } from './core/storage/fileStore.ts'
import { openBucket, openFileStore } from './core/storage/openStores.ts'
import { createKnownBoards } from './features/board/boards/boards.ts'
import { createIrc, type IrcDeps } from './features/irc/bot.ts'
import { createModerationState } from './features/moderation/admission/moderationState.ts'
import { startRaid } from './features/moderation/raids/startRaid.ts'
import { createServiceBroadcasts } from './features/radio/azuracast/serviceBroadcasts.ts'
import { createBroadcastRows } from './features/radio/broadcastRows.ts'
import { createRadio } from './features/radio/createRadio.ts'
import { createPlannedTracks } from './features/radio/library/requests/queue.ts'
import { requestSong } from './features/radio/library/requests/service.ts'
import { createLive } from './features/radio/mix/createLive.ts'
import { createLiveHost } from './features/radio/mix/processes/liveHost.ts'
import { createRecordingArchive } from './features/radio/record/archive.ts'
import type { RadioSource } from './features/radio/types.ts'
import { isAnnouncing } from './features/show/announcements/job.ts'
import { readLiveThread } from './features/show/announcements/readBroadcast.ts'
import { createUpcomingShows, findScheduledShow } from './features/show/service.ts'
import { createSiteContent, SITE_FOLDER } from './features/site/content/siteContent.ts'
import { createSiteImages } from './features/site/images/siteImages.ts'
import { createJobs } from './jobs.ts'

const PAGE_CACHE_BYTES = 64 * 1024 * 1024

export type ServicesDeps = {
  config: Config
  database: DatabaseHandle
  secrets: Secrets
  site?: Site
  now?: () => Date
  files?: FileStore
  backups?: BackupDestination
  /** returns the free bytes on the data folder's disk */
  diskSpace?: () => Promise<number>
  radioSource?: RadioSource
  /** replaces parts of the IRC bot in tests */
  irc?: Partial<IrcDeps>
}

export function createServices(deps: ServicesDeps, log: FastifyBaseLogger): Services {
  const { config, database, secrets, site = defaultSite, now = () => new Date() } = deps
  const { limits } = config
  const eventHub = createEventHub(
    database,
    (ids, maxBytes) => readEventPosts(services, ids, maxBytes),
    { connectionsPerNetwork: limits.eventConnections, bytesPerConnection: limits.eventBytes },
    (error) => log.error({ err: error }, 'event delivery failed'),
  )
  const images = createImageProcessor({ limits: limits.images, log })
  const cache = createPageCache({
    bytes: PAGE_CACHE_BYTES,
    sharedSeconds: config.cdnMaxAge,
    now: () => now().getTime(),
  })
  const live = createLive({
    maxSources: config.radio.maxSources,
    rows: createBroadcastRows({ db: database.db, cache, now }),
    findShow: (...show) => findScheduledShow(services, ...show),
    log,
    now,
  })
  const fetcher = createFetcher()
  const base = { config, db: database.db, cache, now }
  const knownBoards = createKnownBoards(base)
  const services: Services = {
    config,
    site,
    db: database.db,
    files: deps.files ?? openFileStore(config),
    fetcher,
    images,
    secrets,
    sessions: createSessions(database.db, secrets.token, now, config.requireSecondFactor),
    eventHub,
    knownBoards,
    moderation: createModerationState(
      { ...base, knownBoards },
      {
        onRaid: (at) => startRaid(services, at),
        onFault: (error) => log.error({ err: error }, 'moderation state failed'),
      },
    ),
    cache,
    radio: createRadio({
      ...{ config, site, eventHub, images, log, now, live, secret: secrets.art, source: deps.radioSource },
      planned:
        config.radio.songRequests &&
        createPlannedTracks(base, (error) => log.warn({ err: error }, 'requested songs could not be read')),
      liveThread: (stationId) => readLiveThread(database, stationId),
      ...(!config.radio.service && { recordings: createRecordingArchive({ db: database.db, config }) }),
    }),
    serviceBroadcasts: createServiceBroadcasts(() => isAnnouncing(config) || config.irc !== null),
    irc: createIrc({
      ...{ config: config.irc, events: database.events, log, now },
      requestSong: (words, requester) =>
        requestSong(services, { query: words, source: 'irc', requester, isMember: false }),
      ...deps.irc,
    }),
    upcomingShows: createUpcomingShows({ db: database.db, cache, now }),
    live,
    liveHost: createLiveHost({ db: database.db, database, live, fetcher, log, now, secret: secrets.processes }),
    bodyBudget: createMemoryBudget(limits.bodies),
    responseBudget: createMemoryBudget(limits.unread, refusal('failure.tooManyUnread')),
    costs: createRequestCosts(config),
    largeReads: createLargeReads(config),
    siteContent: createSiteContent({ dir: join(config.dataDir, SITE_FOLDER), log, now }),
    siteImages: createSiteImages({ dir: join(config.dataDir, SITE_FOLDER), accent: site.accent, images, log, now }),
    manualRuns: createManualRuns(createJobs(config)),
    backups: deps.backups ?? openBackups(config),
    diskSpace: deps.diskSpace ?? createFreeSpaceReader(config.dataDir),
    log,
    now,
  }
  return services
}

const openBackups = ({ backups, bucket }: Config): BackupDestination =>
  backups.store === 's3' ? createBackupBucket(openBucket(bucket)) : createBackupFolder(backups.folder)
