import type { PageContextServer } from 'vike/types'
import { isFailed, leaveOutHtml, loadPageData } from '#pages/pageData.ts'

export type Data = Awaited<ReturnType<typeof data>>

export async function data({ api, config, routeParams, isClientSideNavigation }: PageContextServer) {
  const { boardId = '', threadId = '' } = routeParams
  const page = await loadPageData(config, api.board.shownThread({ boardId, threadId }))
  if (!isFailed(page) && !isClientSideNavigation) leaveOutHtml(page)
  return page
}
