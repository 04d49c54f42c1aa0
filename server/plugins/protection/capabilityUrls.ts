import type { FastifyInstance } from 'fastify'

/** Pages, data of pages, calls and refusals whose address is what opens a paste or a shared image. */
const SECRET = /^\/+(?:api\/+)?(?:paste|image-share)\//

/** What is behind such an address is kept by no cache and no search engine, and no other site is told the address. */
export function registerSecretAddresses(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply) => {
    const [path = ''] = request.url.split('?')
    if (!SECRET.test(decodeURIComponent(path))) return
    reply.headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex', 'referrer-policy': 'no-referrer' })
  })
}
