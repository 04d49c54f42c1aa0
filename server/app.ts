import type { FastifyInstance } from 'fastify'
import type { Events } from '#db/client.server.ts'
import { defaultSite, type Site } from '#src/contract/site.ts'
import type { PageCache } from './core/cache/pageCache.ts'
import type { Services } from './core/context.ts'
import { publicError } from './core/errors.ts'
import { DOOR_BOUNDS, type DoorBounds } from './core/limits/connectionLimits.ts'
import { securityHeaders } from './core/security/headers.ts'
import { isPublicAddress } from './core/security/publicAddress.ts'
import { createFreeSpaceReader } from './core/storage/diskSpace.ts'
import { registerBoardPages } from './features/board/boardPageData.ts'
import { registerRecordingDownload } from './features/radio/archive/downloadRoute.ts'
import { registerRadioArt } from './features/radio/artRoute.ts'
import { registerRadioStream } from './features/radio/streamRoute.ts'
import { registerSearchEngineRoutes } from './features/site/searchEngines.ts'
import { createHttpServer, type LogStream } from './httpServer.ts'
import { registerLiveEvents } from './plugins/api/eventStream.ts'
import { registerEmptyJson } from './plugins/api/jsonBody.ts'
import { registerMultipart } from './plugins/api/multipart.ts'
import { registerRest, sendApiError } from './plugins/api/rest.ts'
import { registerTrpc } from './plugins/api/trpc.ts'
import { registerUploads } from './plugins/api/uploads.ts'
import { type Leaving, registerLeaving } from './plugins/operations/gracefulShutdown.ts'
import { registerHealth } from './plugins/operations/health.ts'
import { registerMetrics } from './plugins/operations/metrics.ts'
import { registerRequestLog } from './plugins/operations/requestLog.ts'
import { registerAssets } from './plugins/pages/assets.ts'
import { registerAtomFeeds } from './plugins/pages/atomFeeds.ts'
import { registerCanonicalUrls } from './plugins/pages/canonicalUrls.ts'
import { registerPageCache } from './plugins/pages/pageCache.ts'
import { registerBodies } from './plugins/protection/bodyTimeouts.ts'
import { registerSecretAddresses } from './plugins/protection/capabilityUrls.ts'
import { registerConnections } from './plugins/protection/connectionLimits.ts'
import { registerForeignOrigins } from './plugins/protection/crossOrigin.ts'
import { registerDiskReserve } from './plugins/protection/diskReserve.ts'
import { answerTooSlow } from './plugins/protection/malformedRequests.ts'
import { registerHeaders } from './plugins/protection/securityHeaders.ts'
import { registerUnreadAnswers } from './plugins/protection/slowReaders.ts'
import { registerIgnoredProxy } from './plugins/protection/untrustedProxyWarning.ts'
import { createServices, type ServicesDeps } from './services.ts'

export type AppDeps = ServicesDeps & {
  site?: Site
  /** free bytes on the disk of the data folder */
  diskSpace?: () => Promise<number>
  /** default: standard output */
  logTo?: LogStream
  /** overrides of the timeouts and connection limits */
  bounds?: Partial<DoorBounds>
  /** registers the pages, after all other routes; left out where only calls are needed */
  pages?: (app: FastifyInstance, services: Services, site: Site) => void | Promise<void>
  /** folder of the built client files; null when the development server serves them */
  clientDir?: string | null
  /** whether the development server serves the pages, with hot reload */
  dev?: boolean
}

export type App = FastifyInstance & { services: Services; leave: Leaving['leave'] }

/** Assembles the site without opening a port, so that tests can inject requests. */
export async function buildApp(deps: AppDeps): Promise<App> {
  const { config, database, site = defaultSite } = deps
  const bounds = { ...DOOR_BOUNDS, ...deps.bounds }
  const app = createHttpServer(config, bounds, () => headers(), deps.logTo)
  const services = createServices(deps, app.log)
  const headers = securityHeaders({
    https: config.siteUrl.startsWith('https:'),
    dev: deps.dev ?? false,
    mediaSources: services.radio.mediaSources,
  })
  const diskSpace = deps.diskSpace ?? createFreeSpaceReader(config.dataDir)

  invalidatePages(app, services.cache, database.events)
  closeServices(app, services)
  if (config.trustProxy.length === 0) registerIgnoredProxy(app)
  app.setErrorHandler((error, request, reply) => sendApiError(error, request, reply))
  registerEmptyJson(app)

  // Hooks run in the order of registration. The page cache comes early, because it answers most requests.
  const leaving = registerLeaving(app)
  const unreadAnswers = registerUnreadAnswers(app, services.answers, {
    stallMs: config.limits.unread.seconds * 1000,
    checkMs: bounds.bodyCheckMs,
  })
  registerPageCache(app, services.cache, headers, leaving.isLeaving, unreadAnswers)
  registerRequestLog(app)
  registerHeaders(app, headers)
  registerConnections(
    app,
    { ...bounds, connections: bounds.connections + config.radio.maxListeners },
    (address) => config.trustProxy.length === 0 && isPublicAddress(address),
  )
  registerForeignOrigins(app, config)
  registerBodies(app, services.bodies, bounds, (request) => answerTooSlow(request.raw.socket, headers()))
  if (database.kind === 'embedded') registerDiskReserve(app, diskSpace)
  registerSecretAddresses(app)
  registerCanonicalUrls(app)

  await registerMultipart(app)
  await registerTrpc(app, services)
  registerLiveEvents(app, services)
  registerUploads(app, services)
  registerRadioStream(app, services)
  registerRadioArt(app, services)
  registerRecordingDownload(app, services)
  if (deps.clientDir) await registerAssets(app, deps.clientDir)
  registerHealth(app, services, leaving)
  registerMetrics(app, services, { database: database.kind, diskSpace })
  registerSearchEngineRoutes(app, services)
  registerAtomFeeds(app, services)
  registerBoardPages(app, services)
  registerRest(app, services)
  await deps.pages?.(app, services, site)
  app.setNotFoundHandler((_request, reply) => {
    const { status, message } = publicError(Object.assign(new Error(), { statusCode: 404 }))
    reply.code(status).send({ success: false, error: message })
  })
  return Object.assign(app, { services, leave: leaving.leave }) as App
}

/** Marks cached pages stale for changes of any process, and drops all of them when notifications may be missing. */
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

function closeServices(app: FastifyInstance, { eventHub, radio, images }: Services): void {
  // Before the server waits for its connections, because live connections and radio streams never end by themselves.
  app.addHook('preClose', async () => {
    await Promise.all([eventHub.close(), radio.close()])
  })
  app.addHook('onClose', async () => images.close())
}
