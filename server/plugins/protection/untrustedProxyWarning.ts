import type { FastifyInstance } from 'fastify'

/** Behind a proxy that is not believed all visitors share its address, and the limits: said once. */
export function registerIgnoredProxy(app: FastifyInstance): void {
  let noted = false
  app.addHook('onRequest', async (request) => {
    if (noted || request.headers['x-forwarded-for'] === undefined) return
    noted = true
    request.log.warn('X-Forwarded-For is ignored: name the proxy in TRUST_PROXY if it is yours')
  })
}
