import type { FastifyInstance } from 'fastify'

/** URLs that grant access to a paste or a shared image. */
const CAPABILITY_URL = /^\/+(?:api\/+)?(?:paste|image-share)\//

/** Keeps capability URLs out of caches, search engines and Referer headers. */
export function registerCapabilityUrls(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply) => {
    const [path = ''] = request.url.split('?')
    if (!CAPABILITY_URL.test(decodeURIComponent(path))) return
    reply.headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex', 'referrer-policy': 'no-referrer' })
  })
}
