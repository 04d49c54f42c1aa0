import type { PageContextServer } from 'vike/types'
import { isFailed, loadPageData } from '#pages/pageData.ts'

export type Data = Awaited<ReturnType<typeof data>>

export async function data({ api, config, routeParams, isClientSideNavigation }: PageContextServer) {
  const { boardId = '', threadId = '' } = routeParams
  const page = await loadPageData(config, api.board.shownThread({ boardId, threadId }))
  // A document has the HTML already: the data that the browser gets with it leaves it out.
  if (!isFailed(page) && !isClientSideNavigation) Object.defineProperty(page, 'html', { enumerable: false })
  return page
}
