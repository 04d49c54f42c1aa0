import { render } from 'vike/abort'
import type { PageContextServer } from 'vike/types'
import { isFailed, loadPageData } from '#pages/pageData.ts'
import { formatCursor, parseCursor } from '#src/contract/thread.ts'
import { t } from '#src/i18n/t.ts'

export type Data = Awaited<ReturnType<typeof data>>

export async function data({ api, config, routeParams: { boardId = '' }, urlParsed }: PageContextServer) {
  // An invalid cursor shows the first page.
  const after = parseCursor(urlParsed.search.cursor)
  const cursor = after ? formatCursor(after) : undefined
  const found = await loadPageData(config, async () => ({ cursor, page: await api.board.archive({ boardId, cursor }) }))
  // Responds with 404 to a cursor beyond the last thread.
  if (after && !isFailed(found) && found.page.threads.length === 0) throw render(404, t('ui.pageNotFound'))
  return found
}
