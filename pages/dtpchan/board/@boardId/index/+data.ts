import { render } from 'vike/abort'
import type { PageContextServer } from 'vike/types'
import { isFailed, leaveOutHtml, loadPageData } from '#pages/pageData.ts'
import { formatCursor, parseCursor } from '#src/contract/thread.ts'
import { t } from '#src/i18n/t.ts'

export type Data = Awaited<ReturnType<typeof data>>

export async function data({
  api,
  config,
  routeParams: { boardId = '' },
  urlParsed,
  isClientSideNavigation,
}: PageContextServer) {
  // An invalid cursor shows the first page.
  const after = parseCursor(urlParsed.search.cursor)
  const cursor = after ? formatCursor(after) : undefined
  const read = async () => ({ cursor, list: await api.board.shownBoard({ boardId, cursor }) })
  const found = await loadPageData(config, read())
  // Responds with 404 to a cursor beyond the last thread.
  if (after && !isFailed(found) && found.list.count === 0) throw render(404, t('ui.pageNotFound'))
  if (!isFailed(found) && !isClientSideNavigation) leaveOutHtml(found.list)
  return found
}
