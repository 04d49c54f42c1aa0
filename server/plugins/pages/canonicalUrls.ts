import type { FastifyInstance } from 'fastify'
import { plainAddress } from '#server/core/cache/pageKeys.ts'

/**
 * Leads from another spelling of a page's address to the page. Guards the processor: there is no end of spellings, and
 * under each the page would be made anew every time.
 */
export function registerPlainAddresses(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const plain = request.method === 'GET' || request.method === 'HEAD' ? plainAddress(request.url) : null
    if (plain === null) done()
    else reply.redirect(plain, 301)
  })
}
