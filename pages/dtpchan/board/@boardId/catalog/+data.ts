import type { PageContextServer } from 'vike/types'
import { loadPageData } from '#pages/pageData.ts'
import { parseCatalogView } from '#src/contract/catalogView.ts'
import { t } from '#src/i18n/t.ts'

export type Data = Awaited<ReturnType<typeof data>>

export const data = ({ api, routeParams: { boardId = '' }, urlParsed: { search } }: PageContextServer) => {
  const view = parseCatalogView(search)
  const read = async () => ({ view, page: await api.board.catalog({ boardId }) })
  return loadPageData(read(), t('board.loadThreads'))
}
