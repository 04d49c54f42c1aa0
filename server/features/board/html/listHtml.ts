import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sendCachedText } from '#server/core/cache/cachedText.ts'
import type { Services } from '#server/core/context.ts'
import { inLanguage } from '#server/core/http/language.ts'
import { readBoardPage, readCatalog } from '#server/features/board/read/threadLists.ts'
import { languages } from '#src/contract/languages.ts'
import {
  type BoardPage,
  type CatalogPage,
  type CatalogThread,
  type CatalogView,
  formatCursor,
  matchesCatalogFilter,
  type Overboard,
  parseCatalogView,
  parseCursor,
  type ShownBoard,
  type ShownCatalog,
  type ShownOverboard,
} from '#src/contract/thread.ts'
import { cardHtml, tileHtml } from './cardHtml.ts'

/** Renders a board page in the current language. */
export const renderBoard = ({ threads, ...page }: BoardPage): ShownBoard => ({
  ...page,
  html: threads.map((thread) => cardHtml(thread)).join(''),
  count: threads.length,
})

/** Renders the threads of all boards in the current language. */
export function renderOverboard({ threads, ...page }: Overboard): ShownOverboard {
  const names = new Map(page.boards.map(({ id, name }) => [id, name]))
  return {
    ...page,
    html: threads.map((thread) => cardHtml(thread, names.get(thread.boardId) ?? '')).join(''),
    count: threads.length,
    boardIds: [...new Set(threads.map(({ boardId }) => boardId))],
  }
}

/** Renders a catalog in the current language, in its order. `matching` is the number of threads that the filter shows. */
export function renderCatalog({ threads, ...page }: CatalogPage, { sort, filter }: CatalogView): ShownCatalog {
  const listed = sortCatalog(threads, sort).map((thread) => ({ thread, isShown: matchesCatalogFilter(thread, filter) }))
  return {
    ...page,
    html: listed.map(({ thread, isShown }) => tileHtml(thread, isShown)).join(''),
    count: threads.length,
    matching: listed.filter(({ isShown }) => isShown).length,
  }
}

const countReplies = ({ commentCount, replyCount }: CatalogThread) => commentCount + replyCount

/** Sorts threads that are in order of activity. The pinned ones are first in every order. */
export function sortCatalog(threads: CatalogThread[], sort: CatalogView['sort']): CatalogThread[] {
  if (sort === 'activity') return threads
  const replies = (one: CatalogThread) => (sort === 'replies' ? countReplies(one) : 0)
  return threads.toSorted((a, b) => Number(b.pinned) - Number(a.pinned) || replies(b) - replies(a) || b.id - a.id)
}

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
