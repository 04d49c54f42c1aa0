import type { FastifyInstance } from 'fastify'
import { canonicalPageUrl } from '#server/core/cache/pageKeys.ts'

/**
 * Redirects to the canonical URL of a cacheable page. Saves CPU time: otherwise the page would be rendered for every
 * spelling of its URL.
 */
export function registerCanonicalUrls(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const url = request.method === 'GET' || request.method === 'HEAD' ? canonicalPageUrl(request.url) : null
    if (url === null) done()
    else reply.redirect(url, 301)
  })
}
