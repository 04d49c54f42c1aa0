import { TRPCError } from '@trpc/server'
import { type FastifyTRPCPluginOptions, fastifyTRPCPlugin } from '@trpc/server/adapters/fastify'
import { getErrorShape } from '@trpc/server/shared'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import superjson from 'superjson'
import { type Context, createContext, type Services } from '#server/core/context.ts'
import { errors, publicError } from '#server/core/errors.ts'
import { answerLanguage } from '#server/core/http/language.ts'
import { COST } from '#server/core/limits/requestCost.ts'
import { MAX_INPUT_BYTES } from '#server/core/security/inputTransformer.ts'
import { type AppRouter, appRouter } from '#server/router.ts'
import { refusal } from '#src/contract/refusal.ts'
import { startErrorReply } from './rest.ts'

/** Limits calls per batch: pages batch only a few calls. */
const MAX_BATCH = 20
const JSON_TYPE = /^application\/json(?:\s*;|$)/i

export async function registerTrpc(app: FastifyInstance, services: Services): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.bodyLimit = MAX_INPUT_BYTES
    })
    // Accepts only JSON, because tRPC reads forms and byte streams without a size limit.
    scope.addHook('onRequest', async ({ method, headers }) => {
      const type = headers['content-type']
      if (method !== 'GET' && type !== undefined && !JSON_TYPE.test(type))
        throw errors.unsupportedType(refusal('failure.notJson'))
    })
    scope.addHook('onRequest', async (request) => services.costs.charge(request, countCalls(request) * COST.call))
    scope.setErrorHandler(sendTrpcError)
    await scope.register(fastifyTRPCPlugin, { prefix: '/trpc', trpcOptions: trpcOptions(services) })
  })
}

function countCalls({ params, query }: FastifyRequest): number {
  const { path = '' } = params as { path?: string }
  // As tRPC, which reads the first of several parameters.
  const isBatch = [(query as { batch?: unknown }).batch].flat()[0] === '1'
  return isBatch ? Math.min(path.split(',').length, MAX_BATCH) : 1
}

const trpcOptions = (services: Services) =>
  ({
    router: appRouter,
    maxBatchSize: MAX_BATCH,
    createContext: ({ req }) => createContext(services, req, false, (units) => services.costs.charge(req, units)),
    onError: ({ error, path, req }) => {
      if (publicError(error).isServerFault) req.log.error({ err: error, path }, 'call failed')
    },
    responseMeta: ({ errors, type }) => {
      const retryAfter = errors.map((error) => publicError(error).retryAfter).find(Boolean)
      return {
        headers: {
          ...(type !== 'subscription' && { 'cache-control': 'no-store' }),
          ...(retryAfter && { 'retry-after': String(retryAfter) }),
        },
      }
    },
  }) satisfies FastifyTRPCPluginOptions<AppRouter>['trpcOptions']

export function sendTrpcError(thrown: Error, request: FastifyRequest, reply: FastifyReply): void {
  const { status } = startErrorReply(thrown, request, reply)
  const code = CODES[status] ?? 'INTERNAL_SERVER_ERROR'
  const error = thrown instanceof TRPCError ? thrown : new TRPCError({ code, cause: thrown })
  const config = appRouter._def._config
  // The formatter of errors reads nothing else.
  const ctx = { language: answerLanguage(request.headers) } as Context
  const shape = getErrorShape({ config, error, type: 'unknown', path: undefined, input: undefined, ctx })
  reply.send({ error: superjson.serialize(shape) })
}

/** tRPC codes for Fastify's own errors, by status. */
const CODES: Record<number, TRPCError['code']> = {
  400: 'BAD_REQUEST',
  404: 'NOT_FOUND',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
  503: 'SERVICE_UNAVAILABLE',
}
