import type { FastifyInstance } from 'fastify'
import { createDevMiddleware } from 'vike/server'

/** Serves sources with hot reload; calls pass it by. Used by `npm run dev` alone. */
export async function registerDevServer(app: FastifyInstance): Promise<void> {
  const { devMiddleware } = await createDevMiddleware({ root: process.cwd() })
  app.addHook('onRequest', (request, reply, done) => {
    if (/^\/(api|trpc|dtpchan\/uploads|healthz|readyz)(\/|$|\?)/.test(request.url)) return done()
    reply.hijack()
    devMiddleware(request.raw, reply.raw, () => {
      // Not a source file: hand the request back to the routes.
    })
    done()
  })
}
