import { isUtf8 } from 'node:buffer'
import { resolve } from 'node:path'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import type { DatabaseHandle } from '#db/client.server.ts'
import { defaultSite, type Site } from '#src/contract/site.ts'
import type { Config } from './core/config.ts'
import type { Services } from './core/context.ts'
import { errors, errorTexts, loggedError, publicError } from './core/errors.ts'
import { createFetcher } from './core/fetch.ts'
import { folderStore } from './core/files.ts'
import { createLiveHub } from './core/live.ts'
import type { RadioSource } from './core/radio.ts'
import type { Secrets } from './core/secrets.ts'
import { createSessions } from './core/sessions.ts'
import { resolvePosts } from './features/board/live.ts'
import { createRadio } from './features/radio/create.ts'
import { registerAssets } from './plugins/assets.ts'
import { registerAtomFeeds } from './plugins/atomFeeds.ts'
import { registerHeaders } from './plugins/headers.ts'
import { registerHealth } from './plugins/health.ts'
import { registerMultipart } from './plugins/multipart.ts'
import { registerRadioArt } from './plugins/radioArt.ts'
import { registerRadioStream } from './plugins/radioStream.ts'
import { registerRecordings } from './plugins/recordings.ts'
import { registerSearchEngines } from './plugins/searchEngines.ts'
import { registerSecretAddresses } from './plugins/secretAddresses.ts'
import { registerTrpc } from './plugins/trpc.ts'
import { answerUnreadable, decodableUrl } from './plugins/unreadable.ts'
import { registerUploads } from './plugins/uploads.ts'
import { registerRest, sendApiError } from './rest.ts'

const JSON_BODY_BYTES = 1024 * 1024
const HEADER_BYTES = 16 * 1024

export type AppDeps = {
  config: Config
  database: DatabaseHandle
  secrets: Secrets
  site?: Site
  now?: () => Date
  /** where the radio comes from, in place of what the settings name */
  radioSource?: RadioSource
  /** puts the pages behind everything else; left out where only calls are wanted */
  pages?: (app: FastifyInstance, services: Services, site: Site) => void | Promise<void>
  /** folder of the built client files; null where a development server brings them */
  clientDir?: string | null
  /** the development server brings the pages, with hot reload */
  dev?: boolean
}

export type App = FastifyInstance & { services: Services }

/** Puts the site together; opens no port, so that tests can inject. Closing it ends live connections too. */
export async function buildApp(deps: AppDeps): Promise<App> {
  const { config, database, secrets, now = () => new Date(), site = defaultSite } = deps
  const app = Fastify({
    bodyLimit: JSON_BODY_BYTES,
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    // Guards sockets: a request must be whole within these times, and idle connections are let go.
    requestTimeout: 60_000,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    http: { headersTimeout: 15_000, connectionsCheckingInterval: 5_000, maxHeaderSize: HEADER_BYTES },
    forceCloseConnections: 'idle',
    // As long as an address can be: one that is too long for an id is no other refusal than an unknown id.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: HEADER_BYTES },
    rewriteUrl: ({ url = '/' }) => decodableUrl(url),
    clientErrorHandler: answerUnreadable,
    // Addresses of pages can be secrets: the log names routes, never URLs.
    logger: {
      level: config.logLevel,
      serializers: { req: (req) => ({ method: req.method, route: req.routeOptions?.url }), err: loggedError },
    },
    logController: new LogController({ disableRequestLogging: true }),
    frameworkErrors: (error, request, reply) => sendApiError(error, request, reply),
  })
  const live = createLiveHub(
    database,
    (ids) => resolvePosts(database.db, ids),
    (error) => app.log.error({ err: error }, 'live update failed'),
  )
  const services: Services = {
    config,
    db: database.db,
    files: folderStore(resolve(config.dataDir, 'uploads')),
    fetcher: createFetcher(),
    secrets,
    sessions: createSessions(database.db, secrets.token, now),
    live,
    radio: createRadio({ config, live, log: app.log, now, secret: secrets.art, source: deps.radioSource }),
    log: app.log,
    now,
  }
  // Before the server waits for its connections: those who listen, to news or to music, would never go by themselves.
  app.addHook('preClose', async () => {
    await Promise.all([live.close(), services.radio.close()])
  })
  if (config.trustProxy.length === 0) noteIgnoredProxy(app)
  app.setErrorHandler((error, request, reply) => sendApiError(error, request, reply))
  acceptEmptyJson(app)

  await registerHeaders(app, {
    https: config.siteUrl.startsWith('https:'),
    dev: deps.dev ?? false,
    mediaSources: services.radio.mediaSources,
  })
  registerSecretAddresses(app)
  await registerMultipart(app)
  await registerTrpc(app, services)
  registerUploads(app, services)
  registerRadioStream(app, services)
  registerRadioArt(app, services)
  registerRecordings(app, services)
  if (deps.clientDir) await registerAssets(app, deps.clientDir)
  registerHealth(app, services)
  registerSearchEngines(app, services)
  registerAtomFeeds(app, services)
  registerRest(app, services)
  await deps.pages?.(app, services, site)
  app.setNotFoundHandler((_request, reply) => {
    const { status, message } = publicError(Object.assign(new Error(), { statusCode: 404 }))
    reply.code(status).send({ success: false, error: message })
  })
  return Object.assign(app, { services }) as App
}

/** An empty body with a JSON content type is `{}`: the documented captcha call sends just that. */
function acceptEmptyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    // Read as text by the framework, what is no UTF-8 would be replaced without a word.
    if (!isUtf8(body)) return done(errors.badRequest(errorTexts.badRequest))
    const text = body.toString()
    if (text.trim() === '') done(null, {})
    else parse(request, text, done)
  })
}

/** Behind a proxy that is not believed all visitors share its address, and the limits: said once. */
function noteIgnoredProxy(app: FastifyInstance): void {
  let noted = false
  app.addHook('onRequest', async (request) => {
    if (noted || request.headers['x-forwarded-for'] === undefined) return
    noted = true
    request.log.warn('X-Forwarded-For is ignored: name the proxy in TRUST_PROXY if it is yours')
  })
}
