import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sendCachedText } from '#server/core/cache/cachedText.ts'
import type { Services } from '#server/core/context.ts'
import { inLanguage } from '#server/core/http/language.ts'
import { renderBoard, renderCatalog } from '#server/features/board/html/listHtml.ts'
import { languages } from '#src/contract/languages.ts'
import { formatCursor, parseCatalogView, parseCursor } from '#src/contract/thread.ts'
import { readBoardPage, readCatalog } from './threadLists.ts'

type Route = { Params: { boardId: string }; Querystring: { cursor?: string; sort?: string } }

const HEADERS = { 'content-type': 'application/json; charset=utf-8', 'x-robots-tag': 'noindex' }

/** Serves board pages and catalogs as cached JSON with their HTML. Open pages read them again after changes. */
export function registerBoardPages(app: FastifyInstance, services: Services): void {
  serve('page', async ({ params: { boardId }, query }) => {
    const cursor = parseCursor(query.cursor)
    const page = await readBoardPage(services, boardId, cursor ? formatCursor(cursor) : undefined)
    return () => renderBoard(page)
  })
  serve('catalog', async ({ params: { boardId }, query: { sort } }) => {
    const page = await readCatalog(services, boardId)
    return () => renderCatalog(page, parseCatalogView({ sort }))
  })

  /** @param read returns a function that renders the page in the current language */
  function serve(name: string, read: (request: FastifyRequest<Route>) => Promise<() => object>) {
    for (const language of languages)
      app.get<Route>(`/dtpchan/board/:boardId/${name}.${language}.json`, (request, reply) =>
        sendCachedText(services, request, reply, async () => {
          const render = await services.largeReads(request.ip, () => read(request))
          return { headers: HEADERS, text: JSON.stringify(inLanguage(language, render)) }
        }),
      )
  }
}
