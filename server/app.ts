import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Events } from '#db/client.server.ts'
import { defaultSite, type Site } from '#src/contract/site.ts'
import type { PageCache } from './core/cache/pageCache.ts'
import type { Config } from './core/config/config.ts'
import type { Services } from './core/context.ts'
import { chooseLanguage, setSiteLanguage } from './core/http/language.ts'
import { securityHeaders } from './core/security/headers.ts'
import { isPublicAddress } from './core/security/publicAddress.ts'
import { registerFourchanJson } from './features/board/fourchan/routes.ts'
import { registerBoardPages } from './features/board/html/listHtml.ts'
import { registerOldUrls } from './features/board/read/oldUrls.ts'
import { registerMovedThreads } from './features/board/write/moveThread.ts'
import { registerRadioArt } from './features/radio/art.ts'
import { registerSourceMetadata } from './features/radio/input/metadataRoute.ts'
import { registerLiveSources } from './features/radio/input/sourceRoute.ts'
import { registerLiveHost } from './features/radio/mix/processes/routes.ts'
import { registerIcecastStatus, registerPlaylists } from './features/radio/output/playerRoutes.ts'
import { registerRadioStream } from './features/radio/output/streamRoute.ts'
import { registerRecordingDownload } from './features/radio/record/archive/downloadRoute.ts'
import { registerPodcasts } from './features/radio/record/podcast/routes.ts'
import { startRecorder } from './features/radio/record/recorder.ts'
import { createAnnouncer } from './features/show/announcements/announcer.ts'
import { registerCalendar } from './features/show/calendarRoute.ts'
import { registerBrandStyles } from './features/site/brandStyles.ts'
import { SITE_FOLDER } from './features/site/content/siteContent.ts'
import { findSiteIcon, registerSiteImageRoutes, registerSiteImages } from './features/site/images/routes.ts'
import { registerOfflinePage } from './features/site/offlinePage.ts'
import { registerPreviewImages } from './features/site/previewImages.ts'
import { registerSearchEngineRoutes, registerSecurityText } from './features/site/searchEngines.ts'
import { translateDefaults } from './features/site/translateDefaults.ts'
import { registerShareTarget, registerWebManifest } from './features/site/webManifest.ts'
import { disconnectChangedStreamers } from './features/streamer/disconnectChanged.ts'
import { createHttpServer, type LogStream } from './httpServer.ts'
import { registerCompression } from './plugins/api/compression.ts'
import { registerEventStream } from './plugins/api/eventStream.ts'
import { documentedCalls, registerOpenApi } from './plugins/api/openapi/openApi.ts'
import { registerBodyParsers } from './plugins/api/readInput.ts'
import { apiNotFound, registerRest, sendApiError } from './plugins/api/rest.ts'
import { registerTrpc } from './plugins/api/trpc.ts'
import { createFileSender, registerUploads } from './plugins/api/uploads.ts'
import { type GracefulShutdown, registerGracefulShutdown, registerHealth } from './plugins/operations/health.ts'
import { registerMetrics } from './plugins/operations/metrics.ts'
import { registerRequestLog } from './plugins/operations/requestLog.ts'
import { registerAssets } from './plugins/pages/assets.ts'
import { registerFeeds } from './plugins/pages/feeds.ts'
import { registerCanonicalUrls, registerPageCache } from './plugins/pages/pageCache.ts'
import {
  CONNECTION_LIMITS,
  type ConnectionLimits,
  registerConnectionLimits,
  registerUntrustedProxyWarning,
} from './plugins/protection/connectionLimits.ts'
import { registerDiskReserve } from './plugins/protection/diskReserve.ts'
import { registerMemoryBudgets, registerRequestBodies } from './plugins/protection/memoryBudgets.ts'
import {
  registerCors,
  registerCrossOriginCheck,
  registerSecurityHeaders,
} from './plugins/protection/securityHeaders.ts'
import { createServices, type ServicesDeps } from './services.ts'

export type AppDeps = ServicesDeps & {
  logTo?: LogStream
  /** overrides the default timeouts and connection limits */
  connectionLimits?: Partial<ConnectionLimits>
  /** registers the pages after all other routes; omitted if the app serves only the API */
  pages?: (app: FastifyInstance, services: Services, site: Site) => void | Promise<void>
  clientDir?: string | null
  dev?: boolean
  /** false until the first admin and the default programs exist; by default, the app is started at once */
  isStarted?: () => boolean
}

/** Calls that pages of other sites may read. */
const openPaths = documentedCalls.flatMap(({ method, path }) =>
  method === 'GET' && path.startsWith('/api/') ? path : [],
)

export type App = FastifyInstance & { services: Services; drain: GracefulShutdown['drain'] }

export async function buildApp(deps: AppDeps): Promise<App> {
  const { config, database } = deps
  const site = withAbuseContact(deps.site ?? defaultSite, config)
  const connectionLimits = { ...CONNECTION_LIMITS, ...deps.connectionLimits }
  const app = createHttpServer(config, connectionLimits, () => headers(), deps.logTo)
  setSiteLanguage(site)
  const services = createServices({ ...deps, site }, app.log)
  const headers = securityHeaders({
    https: config.siteUrl.startsWith('https:'),
    dev: deps.dev ?? false,
    mediaSources: services.radio.mediaSources,
  })

  invalidatePages(app, services.cache, database.events)
  const announcer = createAnnouncer(services)
  services.serviceBroadcasts.observe(announcer.observer)
  services.live.observe(announcer.observer)
  const recorder = startRecorder(services)
  const stopDisconnecting = disconnectChangedStreamers(database, services.live, (error) =>
    app.log.error({ err: error }, 'sources of changed accounts could not be disconnected'),
  )
  closeServices(app, services, async () => {
    stopDisconnecting()
    await recorder.close()
    await announcer.close()
  })
  if (config.trustProxy.length === 0) registerUntrustedProxyWarning(app)
  app.setErrorHandler((error, request, reply) => sendApiError(error, request, reply))

  // Hooks run in the order of registration, so the order of these groups matters.
  // 1. Responses from memory
  const shutdown = registerGracefulShutdown(app)
  registerMemoryBudgets(app, services)
  registerCompression(app)
  registerPageCache(app, services.cache, headers, shutdown.isShuttingDown, (received) =>
    chooseLanguage(services.site, received),
  )
  // 2. Limits and rejections, before any body is parsed
  registerRequestLog(app)
  registerSecurityHeaders(app, headers)
  registerCors(app, openPaths)
  registerConnectionLimits(
    app,
    { ...connectionLimits, connections: connectionLimits.connections + config.radio.maxListeners },
    (address) => config.trustProxy.length === 0 && isPublicAddress(address),
  )
  registerCrossOriginCheck(app, config)
  registerRequestBodies(app, services.bodyBudget, connectionLimits)
  registerDiskReserve(app, services)
  registerCanonicalUrls(app)
  registerMovedThreads(app, services)
  registerOldUrls(app, services)

  // 3. Parsers and routes; pages are last, because they match every URL
  await registerBodyParsers(app)
  await registerTrpc(app, services)
  registerEventStream(app, services)
  registerUploads(app, services)
  registerRadioStream(app, services)
  registerPlaylists(app, services)
  registerIcecastStatus(app, services)
  registerLiveSources(app, services)
  registerSourceMetadata(app, services)
  if (!config.radio.service) registerLiveHost(app, services)
  registerRadioArt(app, services)
  registerRecordingDownload(app, services)
  if (deps.clientDir) await registerAssets(app, deps.clientDir, (name) => findSiteIcon(services, name))
  registerHealth(app, services, shutdown, deps.isStarted ?? (() => true))
  registerMetrics(app, services, database.kind)
  registerSearchEngineRoutes(app, services)
  registerSecurityText(app, services, site)
  registerWebManifest(app, services, site)
  registerOfflinePage(app, site)
  registerBrandStyles(app, services, site)
  registerSiteImageRoutes(app, services)
  registerSiteImages(app, join(config.dataDir, SITE_FOLDER))
  registerFeeds(app, services)
  registerPodcasts(app, services, translateDefaults(site))
  registerCalendar(app, services, site.name)
  registerPreviewImages(app, services, translateDefaults(site))
  registerBoardPages(app, services)
  registerRest(app, services)
  registerOpenApi(app, services, site)
  registerShareTarget(app, services)
  registerFourchanJson(app, services, createFileSender(services))
  // Draws the operator's images before the first page needs them.
  app.addHook('onReady', async () => void services.siteImages())
  await deps.pages?.(app, services, site)
  app.setNotFoundHandler(apiNotFound)
  return Object.assign(app, { services, drain: shutdown.drain }) as App
}

/** The setting overrides the site file. */
const withAbuseContact = (site: Site, { abuseContact }: Pick<Config, 'abuseContact'>): Site => ({
  ...site,
  abuseContact: abuseContact ?? site.abuseContact,
})

function invalidatePages(app: FastifyInstance, cache: PageCache, events: Events): void {
  const unsubscribe = events.subscribe((payload) => {
    try {
      cache.invalidate(JSON.parse(payload))
    } catch {
      cache.clear()
    }
  })
  const unsubscribeReconnect = events.onReconnect(() => cache.clear())
  app.addHook('preClose', async () => {
    unsubscribe()
    unsubscribeReconnect()
  })
}

function closeServices(
  app: FastifyInstance,
  { eventHub, radio, images, manualRuns }: Services,
  closeObservers: () => Promise<void>,
): void {
  // Runs before the server waits for open connections: event connections and radio streams never end by themselves.
  app.addHook('preClose', async () => {
    await Promise.all([eventHub.close(), radio.close()])
  })
  app.addHook('onClose', async () => {
    await closeObservers()
    await manualRuns.close()
    images.close()
  })
}
