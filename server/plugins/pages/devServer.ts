import type { FastifyInstance } from 'fastify'
import { createDevMiddleware } from 'vike/server'

const CALLS = /^\/(api|trpc|dtpchan\/uploads|healthz|readyz)(\/|$|\?)/

export async function registerDevServer(app: FastifyInstance): Promise<void> {
  const { devMiddleware } = await createDevMiddleware({ root: process.cwd() })
  app.addHook('onRequest', (request, reply, done) => {
    if (CALLS.test(request.url)) done()
    else devMiddleware(request.raw, reply.raw, () => done())
  })
}
