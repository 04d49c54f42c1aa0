import type { FastifyInstance } from 'fastify'

/** Warns once about an untrusted proxy: all its visitors share one IP address and one set of rate limits. */
export function registerUntrustedProxyWarning(app: FastifyInstance): void {
  let isLogged = false
  app.addHook('onRequest', async (request) => {
    if (isLogged || request.headers['x-forwarded-for'] === undefined) return
    isLogged = true
    request.log.warn('X-Forwarded-For is ignored: name the proxy in TRUST_PROXY if it is yours')
  })
}
