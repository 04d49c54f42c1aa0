import type { PageContextServer } from 'vike/types'
import { isFailed, leaveOutHtml, loadPageData } from '#pages/pageData.ts'

export type Data = Awaited<ReturnType<typeof data>>

export async function data(pageContext: PageContextServer) {
  const { api, config, routeParams, isClientSideNavigation, postsPlaceholder } = pageContext
  const { boardId = '', threadId = '' } = routeParams
  const page = await loadPageData(config, () => api.board.shownThread({ boardId, threadId }))
  if (isFailed(page) || isClientSideNavigation) return page
  if (postsPlaceholder !== undefined) {
    pageContext.postsHtml = page.comments
    page.html = { opening: page.html.opening, comments: postsPlaceholder }
  }
  leaveOutHtml(page)
  return page
}
