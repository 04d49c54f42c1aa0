import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import type { DatabaseHandle, Events } from '#db/client.server.ts'
import { defaultSite, type Site } from '#src/contract/site.ts'
import { createSessions } from './core/auth/sessions.ts'
import { createPageCache, type PageCache } from './core/cache/pageCache.ts'
import type { Config } from './core/config/config.ts'
import type { Services } from './core/context.ts'
import { loggedError, publicError } from './core/errors.ts'
import { createEventHub } from './core/events/eventHub.ts'
import { createFetcher } from './core/http/fetcher.ts'
import { createBodyBudget } from './core/limits/bodyBudget.ts'
import { DOOR_BOUNDS, type DoorBounds } from './core/limits/connectionLimits.ts'
import { createLargeReads } from './core/limits/largeReads.ts'
import { createRequestCosts } from './core/limits/requestCost.ts'
import { createAnswerBudget } from './core/limits/responseBudget.ts'
import { createImageProcessor } from './core/media/imageProcessor.ts'
import { securityHeaders } from './core/security/headers.ts'
import { isPublicAddress } from './core/security/publicAddress.ts'
import type { Secrets } from './core/security/secrets.ts'
import { createFreeSpaceReader } from './core/storage/diskSpace.ts'
import { createFileStore, type FileStore } from './core/storage/fileStore.ts'
import { registerBoardPages } from './features/board/boardPageData.ts'
import { resolvePosts } from './features/board/eventPosts.ts'
import { registerRecordingDownload } from './features/radio/archive/downloadRoute.ts'
import { registerRadioArt } from './features/radio/artRoute.ts'
import { createRadio } from './features/radio/createRadio.ts'
import { registerRadioStream } from './features/radio/streamRoute.ts'
import type { RadioSource } from './features/radio/types.ts'
import { registerSearchEngineRoutes } from './features/site/searchEngines.ts'
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
import { answerTooSlow, answerUnreadable, decodableUrl } from './plugins/protection/malformedRequests.ts'
import { registerHeaders } from './plugins/protection/securityHeaders.ts'
import { registerUnreadAnswers } from './plugins/protection/slowReaders.ts'
import { registerIgnoredProxy } from './plugins/protection/untrustedProxyWarning.ts'

const JSON_BODY_BYTES = 1024 * 1024
const HEADER_BYTES = 16 * 1024
/** Finished pages in memory, in all encodings: some hundred threads of 250 posts. */
const PAGE_CACHE_BYTES = 64 * 1024 * 1024

export type AppDeps = {
  config: Config
  database: DatabaseHandle
  secrets: Secrets
  site?: Site
  now?: () => Date
  /** where uploads lie, in place of the data folder */
  files?: FileStore
  /** bytes that are free where the data lie */
  diskSpace?: () => Promise<number>
  /** where the lines of the log go, in place of standard output */
  logTo?: { write: (line: string) => void }
  /** where the radio comes from, in place of what the settings name */
  radioSource?: RadioSource
  /** other times and numbers than those of a site on the open internet */
  bounds?: Partial<DoorBounds>
  /** puts the pages behind everything else; left out where only calls are wanted */
  pages?: (app: FastifyInstance, services: Services, site: Site) => void | Promise<void>
  /** folder of the built client files; null where a development server brings them */
  clientDir?: string | null
  /** the development server brings the pages, with hot reload */
  dev?: boolean
}

export type App = FastifyInstance & { services: Services; leave: Leaving['leave'] }

/** Puts the site together; opens no port, so that tests can inject. Closing it ends live connections too. */
export async function buildApp(deps: AppDeps): Promise<App> {
  const { config, database, secrets, now = () => new Date(), site = defaultSite } = deps
  const bounds = { ...DOOR_BOUNDS, ...deps.bounds }
  const app = Fastify({
    bodyLimit: JSON_BODY_BYTES,
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    requestTimeout: bounds.requestMs,
    connectionTimeout: bounds.idleMs,
    keepAliveTimeout: bounds.keepAliveMs,
    http: {
      headersTimeout: bounds.headMs,
      connectionsCheckingInterval: bounds.checkMs,
      maxHeaderSize: HEADER_BYTES,
      // Refused by us instead, with the headers of every answer.
      requireHostHeader: false,
    },
    forceCloseConnections: 'idle',
    // What was on its way here when the end began is answered as ever, only not kept alive.
    return503OnClosing: false,
    // As long as an address can be: one that is too long for an id is no other refusal than an unknown id.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: HEADER_BYTES },
    rewriteUrl: ({ url = '/' }) => decodableUrl(url),
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, headers()),
    genReqId: () => randomUUID(),
    // Addresses of pages can be secrets: the log names routes, never URLs.
    logger: {
      level: config.logLevel,
      ...(deps.logTo && { stream: deps.logTo }),
      serializers: {
        req: (req) => ({ method: req.method, route: req.routeOptions?.url }),
        err: loggedError,
        // The reader of forms tells all headers of a request, at the most talkative level.
        busboyOptions: ({ limits }: { limits?: object }) => ({ limits }),
      },
    },
    logController: new LogController({ disableRequestLogging: true }),
    frameworkErrors: (error, request, reply) => sendApiError(error, request, reply.headers(headers())),
  })
  const eventHub = createEventHub(
    database,
    (ids, maxBytes) => resolvePosts(database.db, ids, maxBytes),
    { connectionsPerNetwork: config.limits.eventConnections, bytesPerConnection: config.limits.eventBytes },
    (error) => app.log.error({ err: error }, 'live update failed'),
  )
  const cache = createPageCache({ bytes: PAGE_CACHE_BYTES })
  const stopHearing = keepFresh(cache, database.events)
  const images = createImageProcessor({ limits: config.limits.images, log: app.log })
  app.addHook('onClose', async () => images.close())
  const { unread, bodies } = config.limits
  const services: Services = {
    config,
    db: database.db,
    files: deps.files ?? createFileStore(resolve(config.dataDir, 'uploads')),
    fetcher: createFetcher(),
    images,
    secrets,
    sessions: createSessions(database.db, secrets.token, now),
    eventHub,
    cache,
    radio: createRadio({ config, eventHub, images, log: app.log, now, secret: secrets.art, source: deps.radioSource }),
    bodies: createBodyBudget({ perNetwork: bodies.bytesPerNetwork, total: bodies.bytes }),
    answers: createAnswerBudget({ perNetwork: unread.bytesPerNetwork, total: unread.bytes }),
    costs: createRequestCosts(config),
    largeReads: createLargeReads(config),
    log: app.log,
    now,
  }
  const headers = securityHeaders({
    https: config.siteUrl.startsWith('https:'),
    dev: deps.dev ?? false,
    mediaSources: services.radio.mediaSources,
  })
  // Before the server waits for its connections: those who listen, to news or to music, would never go by themselves.
  app.addHook('preClose', async () => {
    stopHearing()
    await Promise.all([eventHub.close(), services.radio.close()])
  })
  if (config.trustProxy.length === 0) registerIgnoredProxy(app)
  app.setErrorHandler((error, request, reply) => sendApiError(error, request, reply))
  registerEmptyJson(app)

  const leaving = registerLeaving(app)
  const unreadAnswers = registerUnreadAnswers(app, services.answers, {
    stallMs: unread.seconds * 1000,
    checkMs: bounds.bodyCheckMs,
  })
  registerPageCache(app, cache, headers, leaving.isLeaving, unreadAnswers)
  registerRequestLog(app)
  registerHeaders(app, headers)
  registerConnections(
    app,
    { ...bounds, connections: bounds.connections + config.radio.maxListeners },
    (address) => config.trustProxy.length === 0 && isPublicAddress(address),
  )
  registerForeignOrigins(app, config)
  registerBodies(app, services.bodies, bounds, (request) => answerTooSlow(request.raw.socket, headers()))
  const diskSpace = deps.diskSpace ?? createFreeSpaceReader(config.dataDir)
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

/** Pages go stale by what any process writes; while nobody listened, or of what makes no sense, anything may have changed. */
function keepFresh(cache: PageCache, events: Events): () => void {
  const stop = events.subscribe((payload) => {
    try {
      cache.invalidate(JSON.parse(payload))
    } catch {
      cache.clear()
    }
  })
  const stopLost = events.onReconnect(() => cache.clear())
  return () => {
    stop()
    stopLost()
  }
}
