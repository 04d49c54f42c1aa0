import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../core/context.ts'
import { errors, errorTexts } from '../core/errors.ts'
import { robotsText } from '../features/site/robots.ts'
import {
  partsReader,
  threadsPath,
  URLS_PER_FILE,
  writeIndex,
  writePages,
  writeThreads,
} from '../features/site/sitemap.ts'

const XML = 'application/xml; charset=utf-8'
/** Guards the database a little: whatever stands before us may answer the crowd. */
const CACHED = 'public, max-age=600'

/**
 * What search engines ask for by name.
 * @param urlsPerFile most threads in one file of the site map
 */
export function registerSearchEngines(
  app: FastifyInstance,
  services: Pick<Services, 'db' | 'config' | 'now'>,
  urlsPerFile = URLS_PER_FILE,
): void {
  app.get('/robots.txt', (_request, reply) =>
    reply.header('cache-control', CACHED).type('text/plain; charset=utf-8').send(robotsText(services.config.siteUrl)),
  )
  const readParts = partsReader(services, urlsPerFile)
  app.get('/sitemap.xml', async (_request, reply) => sendXml(reply, await writeIndex(services, readParts)))
  app.get('/sitemap-pages.xml', async (_request, reply) => sendXml(reply, await writePages(services)))
  // HEAD is a route of ours: the one the framework makes of a GET would read every thread of the file.
  app.route({ method: ['GET', 'HEAD'], url: threadsPath(':part(^[1-9]\\d{0,8}$)'), handler: sendThreads })

  async function sendThreads(request: FastifyRequest, reply: FastifyReply) {
    const { part } = request.params as { part: string }
    const pieces = writeThreads(services, Number(part), urlsPerFile)
    // The first piece is waited for before anything is sent, while a failure can still be told. One that comes later
    // cuts the connection: an answer that ended would pass for a whole file.
    const first = await pieces.next()
    if (first.done) throw errors.notFound(errorTexts.notFound)
    if (request.method === 'HEAD') {
      await pieces.return()
      return sendXml(reply, undefined)
    }
    // One piece ahead of the reader, for they are large.
    return sendXml(reply, Readable.from(chain(first.value, pieces), { highWaterMark: 1 }))
  }
}

async function* chain(first: string, rest: AsyncGenerator<string, void>) {
  yield first
  yield* rest
}

const sendXml = (reply: FastifyReply, body: string | Readable | undefined) =>
  reply.header('cache-control', CACHED).type(XML).send(body)
