import { type FastifyTRPCPluginOptions, fastifyTRPCPlugin } from '@trpc/server/adapters/fastify'
import type { FastifyInstance } from 'fastify'
import { createContext, type Services } from '../core/context.ts'
import { publicError } from '../core/errors.ts'
import { type AppRouter, appRouter } from '../router.ts'

/** Calls a page makes at once are a handful. */
const BATCH = 20

/** The typed calls of our own client, under /trpc. */
export async function registerTrpc(app: FastifyInstance, services: Services): Promise<void> {
  await app.register(fastifyTRPCPlugin, {
    prefix: '/trpc',
    trpcOptions: {
      router: appRouter,
      // Guards the database: of one request's calls each is a query or more.
      maxBatchSize: BATCH,
      createContext: ({ req }) => createContext(services, req),
      onError: ({ error, path, req }) => {
        if (publicError(error).fault) req.log.error({ err: error, path }, 'call failed')
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
    } satisfies FastifyTRPCPluginOptions<AppRouter>['trpcOptions'],
  })
}
