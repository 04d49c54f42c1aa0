import type { PageContextServer } from 'vike/types'
import { loadPageData } from '#pages/pageData.ts'
import { parseCatalogView } from '#src/contract/thread.ts'

export type Data = Awaited<ReturnType<typeof data>>

export const data = ({ api, config, routeParams: { boardId = '' }, urlParsed: { search } }: PageContextServer) => {
  const view = parseCatalogView(search)
  const read = async () => ({ view, page: await api.board.catalog({ boardId }) })
  return loadPageData(config, read())
}
