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
  function serve<Page>(
    name: string,
    read: (request: FastifyRequest<Route>) => Promise<Page>,
    render: (page: Page, query: Route['Querystring']) => object,
  ) {
    for (const language of languages)
      app.get<Route>(`/dtpchan/board/:boardId/${name}.${language}.json`, (request, reply) =>
        sendCachedText(services, request, reply, async () => {
          const page = await services.largeReads(request.ip, () => read(request))
          const shown = inLanguage(language, () => render(page, request.query))
          return { headers: HEADERS, text: JSON.stringify(shown) }
        }),
      )
  }
  serve(
    'page',
    ({ params: { boardId }, query }) => {
      const cursor = parseCursor(query.cursor)
      return readBoardPage(services, boardId, cursor ? formatCursor(cursor) : undefined)
    },
    renderBoard,
  )
  serve(
    'catalog',
    ({ params: { boardId } }) => readCatalog(services, boardId),
    (page, { sort }) => renderCatalog(page, parseCatalogView({ sort })),
  )
}
