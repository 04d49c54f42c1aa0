import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createContext, type Services } from './core/context.ts'
import { errorTexts, publicError } from './core/errors.ts'
import { readParts } from './core/parts.ts'
import { authRows } from './features/auth/rest.ts'
import { boardRows } from './features/board/rest.ts'
import { siteRows } from './features/site/rest.ts'
import type { RestRow } from './restRow.ts'
import { createCaller } from './router.ts'

export const restRows: RestRow[] = [...authRows, ...boardRows, ...siteRows]

/** Puts every row under its address; the answer is always `{success: true, ...}` or `{success: false, error}`. */
export function registerRest(app: FastifyInstance, services: Services): void {
  for (const { method, path, call } of restRows) {
    app.route({
      method,
      url: path,
      handler: async (request, reply) => {
        const api = createCaller(createContext(services, request.ip, request.headers.authorization))
        const answer = await call(api, (await readInput(request)) as never)
        reply.header('cache-control', 'no-store')
        return { success: true, ...(answer as object | undefined) }
      },
    })
  }
  app.all('/api', apiNotFound)
  app.all('/api/*', apiNotFound)
}

const apiNotFound = (_request: FastifyRequest, reply: FastifyReply) =>
  reply.code(404).send({ success: false, error: errorTexts.notFound })

/** Query, body or form parts, and path as one object; the path wins. */
async function readInput(request: FastifyRequest): Promise<object> {
  const body = request.isMultipart() ? await readParts(request) : request.body
  const fields = body !== null && typeof body === 'object' && !Array.isArray(body) ? body : {}
  return { ...(request.query as object), ...fields, ...(request.params as object) }
}

/** Answers a call that was refused or failed; what is a fault of ours is logged and stays inside. */
export function sendApiError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, message, retryAfter, fault } = publicError(error)
  if (fault) request.log.error({ err: error }, 'call failed')
  if (retryAfter) reply.header('retry-after', retryAfter)
  // A body left half read would hold the connection, and ending it would hide the answer from who is still sending.
  request.raw.unpipe()
  request.raw.resume()
  reply.removeHeader('connection')
  reply.code(status).header('cache-control', 'no-store').send({ success: false, error: message })
}
