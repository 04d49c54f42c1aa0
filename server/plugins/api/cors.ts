import type { FastifyInstance } from 'fastify'
import { apiNotFound } from './rest.ts'

const READ_METHODS = ['GET', 'HEAD']
const ANSWER = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Retry-After',
  'cross-origin-resource-policy': 'cross-origin',
}
const PREFLIGHT = {
  ...ANSWER,
  'access-control-allow-methods': READ_METHODS.join(', '),
  'access-control-allow-headers': 'Authorization, X-Delete-Token',
  // A day. Browsers limit it to less.
  'access-control-max-age': '86400',
}

/**
 * Lets pages of other sites read the calls. They can only read what everybody can read: browsers send no token of this
 * site with such a request. Register this before the hooks that refuse requests, so that pages can read refusals, too.
 * @param paths routes of calls with GET, below /api
 */
export function registerCors(app: FastifyInstance, paths: string[]): void {
  const readable = new Set(paths)
  app.addHook('onRequest', (request, reply, done) => {
    const { url = '' } = request.routeOptions
    if (READ_METHODS.includes(request.method) && readable.has(url)) reply.headers(ANSWER)
    done()
  })
  for (const path of paths) {
    app.options(path, (request, reply) =>
      // Refuses other methods. Browsers would send a POST even if the list of methods does not contain it.
      READ_METHODS.includes(String(request.headers['access-control-request-method']))
        ? reply.code(204).headers(PREFLIGHT).send()
        : apiNotFound(request, reply),
    )
  }
}
