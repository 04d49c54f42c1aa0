import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { renderPage } from 'vike/server'
import type { Site } from '#src/contract/site.ts'
import { createContext, type Services } from './core/context.ts'
import { publicError } from './core/errors.ts'
import { isPersonsView } from './core/visitors.ts'
import { createCaller } from './router.ts'

/** Everything that is no call and no file is a page; registered last. */
export function registerPages(app: FastifyInstance, services: Services, site: Site): void {
  app.get('/*', (request, reply) => sendPage(services, site, request, reply))
}

/** Renders a page here, its data coming through a caller, without HTTP to ourselves. */
async function sendPage(services: Services, settings: Site, request: FastifyRequest, reply: FastifyReply) {
  const { about, ...site } = settings
  // A page turns what its data threw into a text of its own: the fault itself is noted here.
  const counts = isPersonsView(request.headers, request.method, request.url)
  const api = createCaller(createContext(services, request.ip, undefined, counts), {
    onError: ({ error, path }) => {
      if (publicError(error).fault) request.log.error({ err: error, path }, 'call of a page failed')
    },
  })
  const pageContext = await renderPage({
    urlOriginal: request.url,
    headersOriginal: request.headers,
    api,
    site,
    about,
    siteUrl: services.config.siteUrl,
  })
  const { errorWhileRendering, httpResponse } = pageContext
  if (errorWhileRendering && httpResponse.statusCode === 500) {
    request.log.error({ err: errorWhileRendering }, 'page failed')
  }
  for (const [name, value] of httpResponse.headers) reply.header(name, value)
  // Who is logged in shows only in the browser: the page is the same for everybody, yet never older than its data.
  reply.header('cache-control', 'no-cache')
  // A page that says itself that its data could not be read is no page to keep, nor a success.
  const failed = httpResponse.statusCode === 200 && isFailed((pageContext as { data?: unknown }).data)
  if (failed) reply.header('cache-control', 'no-store').header('retry-after', 5)
  return reply.code(failed ? 503 : httpResponse.statusCode).send(Buffer.from(httpResponse.body))
}

const isFailed = (data: unknown) => typeof data === 'object' && data !== null && 'error' in data
