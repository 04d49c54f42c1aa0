import { resolve } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { DatabaseHandle } from '#db/client.server.ts'
import { createSessions } from './core/auth/sessions.ts'
import { createBackupFolder } from './core/backup/backupFolder.ts'
import type { BackupDestination } from './core/backup/destination.ts'
import { createPageCache } from './core/cache/pageCache.ts'
import type { Config } from './core/config/config.ts'
import type { Services } from './core/context.ts'
import { createEventHub } from './core/events/eventHub.ts'
import { createFetcher } from './core/http/fetcher.ts'
import { createManualRuns } from './core/jobs/manualRuns.ts'
import { createBodyBudget } from './core/limits/bodyBudget.ts'
import { createLargeReads } from './core/limits/largeReads.ts'
import { createRequestCosts } from './core/limits/requestCost.ts'
import { createResponseBudget } from './core/limits/responseBudget.ts'
import { createImageProcessor } from './core/media/imageProcessor.ts'
import { createModerationState } from './core/moderation/moderationState.ts'
import type { Secrets } from './core/security/secrets.ts'
import { createFreeSpaceReader } from './core/storage/diskSpace.ts'
import { createFileStore, type FileStore } from './core/storage/fileStore.ts'
import { readEventPosts } from './features/board/eventPosts.ts'
import { startRaid } from './features/moderation/startRaid.ts'
import { createRadio } from './features/radio/createRadio.ts'
import type { RadioSource } from './features/radio/types.ts'
import { createJobs } from './jobs.ts'

const PAGE_CACHE_BYTES = 64 * 1024 * 1024

export type ServicesDeps = {
  config: Config
  database: DatabaseHandle
  secrets: Secrets
  now?: () => Date
  files?: FileStore
  backups?: BackupDestination
  /** returns the free bytes on the data folder's disk */
  diskSpace?: () => Promise<number>
  radioSource?: RadioSource
}

export function createServices(deps: ServicesDeps, log: FastifyBaseLogger): Services {
  const { config, database, secrets, now = () => new Date() } = deps
  const { limits } = config
  const eventHub = createEventHub(
    database,
    (ids, maxBytes) => readEventPosts(services, ids, maxBytes),
    { connectionsPerNetwork: limits.eventConnections, bytesPerConnection: limits.eventBytes },
    (error) => log.error({ err: error }, 'event delivery failed'),
  )
  const images = createImageProcessor({ limits: limits.images, log })
  const services: Services = {
    config,
    db: database.db,
    files: deps.files ?? createFileStore(resolve(config.dataDir, 'uploads')),
    fetcher: createFetcher(),
    images,
    secrets,
    sessions: createSessions(database.db, secrets.token, now, config.requireSecondFactor),
    eventHub,
    moderation: createModerationState(database, config, now, {
      onRaid: (at) => startRaid(services, at),
      onFault: (error) => log.error({ err: error }, 'moderation state failed'),
    }),
    cache: createPageCache({ bytes: PAGE_CACHE_BYTES, now: () => now().getTime() }),
    radio: createRadio({ config, eventHub, images, log, now, secret: secrets.art, source: deps.radioSource }),
    bodyBudget: createBodyBudget({ perNetwork: limits.bodies.bytesPerNetwork, total: limits.bodies.bytes }),
    responseBudget: createResponseBudget({ perNetwork: limits.unread.bytesPerNetwork, total: limits.unread.bytes }),
    costs: createRequestCosts(config),
    largeReads: createLargeReads(config),
    manualRuns: createManualRuns(createJobs(config)),
    backups: deps.backups ?? createBackupFolder(config.backups.folder),
    diskSpace: deps.diskSpace ?? createFreeSpaceReader(config.dataDir),
    log,
    now,
  }
  return services
}
