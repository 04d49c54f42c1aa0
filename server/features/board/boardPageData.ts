import type { FastifyInstance } from 'fastify'
import { sendCachedText } from '#server/core/cache/cachedText.ts'
import type { Services } from '#server/core/context.ts'
import { formatCursor, parseCursor } from '#src/contract/threadCursor.ts'
import { readBoardPage } from './threads.ts'

type Route = { Params: { boardId: string }; Querystring: { cursor?: string } }

const HEADERS = { 'content-type': 'application/json; charset=utf-8', 'x-robots-tag': 'noindex' }

/** Serves the data of a board page as cached JSON. Open pages read it again after changes. */
export function registerBoardPages(app: FastifyInstance, services: Services): void {
  app.get<Route>('/dtpchan/board/:boardId/page.json', (request, reply) =>
    sendCachedText(services, request, reply, async () => {
      const cursor = parseCursor(request.query.cursor)
      const { boardId } = request.params
      const page = await services.largeReads(request.ip, () =>
        readBoardPage(services, boardId, cursor ? formatCursor(cursor) : undefined),
      )
      return { headers: HEADERS, text: JSON.stringify(page) }
    }),
  )
}
