import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createContext, type Services } from '#server/core/context.ts'
import { errorTexts, publicError } from '#server/core/errors.ts'
import { MAX_FORM_BYTES, parseMultipartForm } from '#server/core/http/multipartForm.ts'
import { isHumanView } from '#server/core/http/visitors.ts'
import { checkRateLimit } from '#server/core/limits/rateLimits.ts'
import { COST } from '#server/core/limits/requestCost.ts'
import type { FormPage, RestRoute } from '#server/core/rpc/restRoute.ts'
import { storageBuckets } from '#server/core/storage/storageQuota.ts'
import { authRoutes } from '#server/features/auth/rest.ts'
import { boardRoutes } from '#server/features/board/rest.ts'
import { imageRoutes } from '#server/features/image/rest.ts'
import { moderationRoutes } from '#server/features/moderation/rest.ts'
import { switchRoutes } from '#server/features/moderation/switchRest.ts'
import { newsRoutes } from '#server/features/news/rest.ts'
import { pasteRoutes } from '#server/features/paste/rest.ts'
import { programRoutes } from '#server/features/program/rest.ts'
import { archiveRoutes } from '#server/features/radio/archive/rest.ts'
import { liveRoutes } from '#server/features/radio/live/rest.ts'
import { recordingRoutes } from '#server/features/radio/recordings/rest.ts'
import { songRequestRoutes } from '#server/features/radio/requests/rest.ts'
import { radioRoutes } from '#server/features/radio/rest.ts'
import { searchRoutes } from '#server/features/search/rest.ts'
import { showRoutes } from '#server/features/show/rest.ts'
import { siteRoutes } from '#server/features/site/rest.ts'
import { streamerRoutes } from '#server/features/streamer/rest.ts'

export const restRoutes: RestRoute[] = [
  ...archiveRoutes,
  ...authRoutes,
  ...boardRoutes,
  ...imageRoutes,
  ...liveRoutes,
  ...moderationRoutes,
  ...newsRoutes,
  ...pasteRoutes,
  ...programRoutes,
  ...radioRoutes,
  ...recordingRoutes,
  ...searchRoutes,
  ...showRoutes,
  ...siteRoutes,
  ...streamerRoutes,
  ...songRequestRoutes,
  ...switchRoutes,
]

/**
 * Answers a form that a browser sent without script with a page or a redirect.
 * @param run reads the form and runs the call; its error becomes a part of the page
 * @param fields returns the fields that `run` has read
 */
type SendForm = (
  request: FastifyRequest,
  reply: FastifyReply,
  page: FormPage,
  run: () => Promise<unknown>,
  fields: () => Record<string, unknown>,
) => Promise<FastifyReply>

declare module 'fastify' {
  interface FastifyInstance {
    /** Both are null if the app serves only the API. The pages set them. */
    formPages: { send: SendForm | null; sendError: typeof sendApiError | null }
  }
}

/** Reports whether a browser sent the form without script. Programs and scripts do not ask for HTML. */
const isBrowserForm = ({ headers }: FastifyRequest) =>
  (headers['content-type']?.toLowerCase().startsWith('multipart/form-data') && headers.accept?.includes('text/html')) ??
  false

export function registerRest(app: FastifyInstance, services: Services): void {
  app.decorate('formPages', { send: null, sendError: null })
  for (const row of restRoutes) {
    // Use a separate scope, so that the raw body parser applies only to this route.
    if (row.bytesField) app.register(async (scope) => registerRow(parseRawBody(scope), services, row))
    else registerRow(app, services, row)
  }
  app.all('/api/*', apiNotFound)
}

function registerRow(app: FastifyInstance, services: Services, row: RestRoute): void {
  const { method, path, call, send, bodyBytes, bytesField, formPage } = row
  app.route({
    method,
    url: path,
    bodyLimit: bodyBytes,
    // Limits and parsers also refuse the forms of browsers.
    ...(formPage && {
      errorHandler: (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
        (app.formPages.sendError ?? sendApiError)(error, request, reply),
    }),
    onRequest: async (request) => {
      services.costs.charge(request, COST.call)
      // A browser gets this refusal on the form's page.
      if (!(formPage && isBrowserForm(request))) await checkLimitsEarly(services, request, row)
    },
    handler: async (request, reply) => {
      const charge = (units: number) => services.costs.charge(request, units)
      const sendForm = formPage && isBrowserForm(request) ? app.formPages.send : null
      if (sendForm && formPage) {
        let fields = request.params as Record<string, unknown>
        const run = async () => {
          await checkLimitsEarly(services, request, row)
          const typed = withPlainLineBreaks(await readInput(services, request, reply, row))
          fields = formPage.convert?.(typed) ?? typed
          return call(createContext(services, request, false, charge), fields as never)
        }
        return sendForm(request, reply, formPage, run, () => fields)
      }
      const input = { ...(await readInput(services, request, reply, row)), ...readHeaderFields(request, row) }
      const ctx = createContext(services, request, isHumanView(request.headers, request.method), charge)
      const answer = await call(ctx, input as never)
      reply.header('cache-control', 'no-store')
      const isRaw = bytesField !== undefined && Buffer.isBuffer((input as Record<string, unknown>)[bytesField.name])
      const sent = send?.(reply, answer as never, isRaw)
      return sent ?? { success: true, ...(answer as object | undefined) }
    },
  })
}

/** The limits are checked before reading a body above this size. Any form without a file is smaller. */
const LARGE_BODY_BYTES = 128 * 1024

/** Rejects a large body without reading it if the rate limit or the storage quota is used up. */
async function checkLimitsEarly(services: Services, request: FastifyRequest, { limits }: RestRoute): Promise<void> {
  const length = Number(request.headers['content-length'] ?? MAX_FORM_BYTES)
  if (!limits || length <= LARGE_BODY_BYTES || length > MAX_FORM_BYTES) return
  const ctx = createContext(services, request)
  await checkRateLimit(ctx, limits.rate, await storageBuckets(ctx, { kind: limits.storage, bytes: 1 }))
}

const RAW_TYPES = ['text/plain', 'application/octet-stream', 'application/x-www-form-urlencoded']

function parseRawBody(scope: FastifyInstance): FastifyInstance {
  // `curl -T` sends no content type.
  scope.addHook('onRequest', async ({ headers }) => {
    headers['content-type'] ??= 'application/octet-stream'
  })
  scope.addContentTypeParser(RAW_TYPES, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  return scope
}

export const apiNotFound = (_request: FastifyRequest, reply: FastifyReply) =>
  reply.code(404).send({ success: false, error: errorTexts.notFound })

/** Browsers send line breaks as CRLF in forms, whatever the visitor typed. */
const withPlainLineBreaks = (fields: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll('\r\n', '\n') : value,
    ]),
  )

const readHeaderFields = (request: FastifyRequest, { headers = {} }: RestRoute): object =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([field, header]) => {
      const value = request.headers[header]
      return value === undefined ? [] : [[field, value]]
    }),
  )

/** Merges the query, the body or form parts, and path parameters. Later sources override earlier ones. */
async function readInput(
  { bodyBudget }: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  row: RestRoute,
): Promise<object> {
  const { query, body, params } = request as { query: object; body: unknown; params: object }
  if (Buffer.isBuffer(body)) {
    return { ...parseFields(query, row), ...(row.bytesField && { [row.bytesField.name]: body }), ...params }
  }
  if (request.isMultipart()) {
    const parts = await parseMultipartForm(request, bodyBudget.reserve(request, reply), row)
    return { ...parseFields({ ...query, ...parts }, row), ...params }
  }
  const fields = body !== null && typeof body === 'object' && !Array.isArray(body) ? body : {}
  return { ...parseFields(query, row), ...fields, ...params }
}

/** Parses number and boolean fields, because queries and forms contain only text. */
function parseFields(texts: object, { numbers = [], flags = [] }: RestRoute): object {
  const parse = (name: string, value: unknown) =>
    numbers.includes(name) ? asNumber(value) : flags.includes(name) ? asFlag(value) : value
  return Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, parse(name, value)]))
}

const asNumber = (value: unknown) =>
  typeof value === 'string' && /^(0|[1-9]\d{0,14})$/.test(value) ? Number(value) : value
const asFlag = (value: unknown) => (value === 'true' ? true : value === 'false' ? false : value)

export function sendApiError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { message, ban } = startErrorReply(error, request, reply)
  reply.send({ success: false, error: message, ...(ban && { ban }) })
}

/** Sets status and headers, and logs server faults. @returns what the client may see */
export function startErrorReply(error: unknown, request: FastifyRequest, reply: FastifyReply, logged = 'call failed') {
  const { status, message, retryAfter, ban, isServerFault } = publicError(error)
  if (isServerFault) request.log.error({ err: error }, logged)
  if (retryAfter) reply.header('retry-after', retryAfter)
  reply.code(status).header('cache-control', 'no-store')
  return { status, message, ban }
}
