import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sendCachedText } from '#server/core/cache/cachedText.ts'
import type { Services } from '#server/core/context.ts'
import { formatCursor, parseCursor } from '#src/contract/thread.ts'
import { readCatalog } from './catalog.ts'
import { readBoardPage } from './threads.ts'

type Route = { Params: { boardId: string }; Querystring: { cursor?: string } }

const HEADERS = { 'content-type': 'application/json; charset=utf-8', 'x-robots-tag': 'noindex' }

/** Serves the data of board pages and catalogs as cached JSON. Open pages read it again after changes. */
export function registerBoardPages(app: FastifyInstance, services: Services): void {
  const serve = (path: string, read: (request: FastifyRequest<Route>) => Promise<object>) =>
    app.get<Route>(`/dtpchan/board/:boardId/${path}`, (request, reply) =>
      sendCachedText(services, request, reply, async () => {
        const page = await services.largeReads(request.ip, () => read(request))
        return { headers: HEADERS, text: JSON.stringify(page) }
      }),
    )
  serve('page.json', ({ params: { boardId }, query }) => {
    const cursor = parseCursor(query.cursor)
    return readBoardPage(services, boardId, cursor ? formatCursor(cursor) : undefined)
  })
  serve('catalog.json', ({ params: { boardId } }) => readCatalog(services, boardId))
}
