import type { PageContextServer } from 'vike/types'
import { isFailed, leaveOutHtml, loadPageData } from '#pages/pageData.ts'
import { parseCatalogView } from '#src/contract/thread.ts'

export type Data = Awaited<ReturnType<typeof data>>

export async function data({
  api,
  config,
  routeParams,
  urlParsed: { search },
  isClientSideNavigation,
}: PageContextServer) {
  const view = parseCatalogView(search)
  const found = await loadPageData(config, async () => ({
    view,
    page: await api.board.shownCatalog({ boardId: routeParams.boardId ?? '', ...view }),
  }))
  if (!isFailed(found) && !isClientSideNavigation) leaveOutHtml(found.page)
  return found
}
