import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Context, createContext, type Services } from '#server/core/context.ts'
import { errors, publicError } from '#server/core/errors.ts'
import { answerLanguage, asksForLanguage } from '#server/core/http/language.ts'
import { createFormFields, MAX_FORM_BYTES } from '#server/core/http/multipartForm.ts'
import { isHumanView } from '#server/core/http/visitors.ts'
import { checkRateLimit } from '#server/core/limits/rateLimits.ts'
import { COST } from '#server/core/limits/requestCost.ts'
import { type FormPage, listRestRoutes, type RestRoute } from '#server/core/rpc/restRoute.ts'
import { storageBuckets } from '#server/core/storage/storageQuota.ts'
import { appRouter } from '#server/router.ts'
import { refusal } from '#src/contract/refusal.ts'
import { refusalText } from '#src/i18n/refusalText.ts'
import { createInputReader } from './readInput.ts'

export const restRoutes: RestRoute[] = listRestRoutes(appRouter)

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
  interface FastifyRequest {
    /** set once a call needs it, so that the token is validated once per request */
    callContext: Context | null
  }
}

/** Reports whether a browser sent the form without script. Programs and scripts do not ask for HTML. */
const isBrowserForm = ({ headers }: FastifyRequest) =>
  (headers['content-type']?.toLowerCase().startsWith('multipart/form-data') && headers.accept?.includes('text/html')) ??
  false

export function registerRest(app: FastifyInstance, services: Services): void {
  app.decorate('formPages', { send: null, sendError: null })
  app.decorateRequest('callContext', null)
  for (const row of restRoutes) {
    // Use a separate scope, so that the raw body parser applies only to this route.
    if (row.bytesField) app.register(async (scope) => registerRow(parseRawBody(scope), services, row))
    else registerRow(app, services, row)
  }
  // Before the body is parsed: an error about it would hide that the path is wrong.
  app.all('/api/*', { onRequest: async (request, reply) => apiNotFound(request, reply) }, apiNotFound)
}

function registerRow(app: FastifyInstance, services: Services, row: RestRoute): void {
  const { method, path, call, send, bodyBytes, bytesField, formPage } = row
  const readInput = createInputReader(services, row)
  const charge = (request: FastifyRequest) => (units: number) => services.costs.charge(request, units)
  const contextOf = (request: FastifyRequest) => {
    const { headers, method } = request
    request.callContext ??= createContext(services, request, isHumanView(headers, method), charge(request))
    return request.callContext
  }
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
      // A call with a header such as `X-Delete-Token` is also for guests.
      if (row.access && !row.headers) await requireLogin(contextOf(request), row)
      rejectCompressedBody(request, row)
      // A browser gets this refusal on the form's page.
      if (!(formPage && isBrowserForm(request))) await checkLimitsEarly(services, request, row)
    },
    handler: async (request, reply) => {
      const sendForm = formPage && isBrowserForm(request) ? app.formPages.send : null
      if (sendForm && formPage) {
        const parts = createFormFields()
        let fields: Record<string, unknown> | null = null
        const run = async () => {
          const refused = await checkLimitsEarly(services, request, row).then(
            () => null,
            (error: unknown) => error,
          )
          const typed = withPlainLineBreaks(await readInput(request, { fields: parts, refused }))
          fields = formPage.convert?.(typed) ?? typed
          return call(createContext(services, request, false, charge(request)), fields)
        }
        const readFields = () => fields ?? { ...withPlainLineBreaks(parts), ...(request.params as object) }
        return sendForm(request, reply, formPage, run, readFields)
      }
      const input = await readInput(request)
      const answer = await call(contextOf(request), input)
      reply.header('cache-control', 'no-store')
      const isRaw = bytesField !== undefined && Buffer.isBuffer((input as Record<string, unknown>)[bytesField.name])
      const sent = send?.(reply, answer as never, isRaw)
      return sent ?? { success: true, ...(answer as object | undefined) }
    },
  })
}

/** Refuses guests before the body is read, because 401 comes before all other refusals. */
async function requireLogin(ctx: Context, { call }: RestRoute): Promise<void> {
  if (await ctx.currentUser()) return
  // The procedure refuses guests before it validates the input, with a text of its own.
  await call(ctx, {})
  throw errors.unauthorized(refusal('auth.loginRequired'))
}

/** Otherwise a compressed paste would be stored as it is. */
function rejectCompressedBody({ headers }: FastifyRequest, { method }: RestRoute): void {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  const hasBody = method === 'POST' || method === 'PUT'
  if (hasBody && encoding !== '' && encoding !== 'identity') throw errors.unsupportedType(refusal('failure.compressed'))
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
  reply.code(404).send({ success: false, error: refusalText(refusal('failure.notFound')) })

/** Browsers send line breaks as CRLF in forms, whatever the visitor typed. */
const withPlainLineBreaks = (fields: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll('\r\n', '\n') : value,
    ]),
  )

/** Pages of this site also get the key of the text and the invalid field. */
export function sendApiError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { message, ban, code, field } = startErrorReply(error, request, reply)
  const ownPage = asksForLanguage(request.headers) && { code, field }
  reply.send({ success: false, error: message, ...(ban && { ban }), ...ownPage })
}

/** Sets status and headers, and logs server faults. @returns what the client may see */
export function startErrorReply(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  language = answerLanguage(request.headers),
  logged = 'call failed',
) {
  const { status, message, code, field, retryAfter, ban, isServerFault } = publicError(error, language)
  if (isServerFault) request.log.error({ err: error }, logged)
  if (retryAfter) reply.header('retry-after', retryAfter)
  reply.code(status).header('cache-control', 'no-store')
  return { status, message, code, field, ban }
}
