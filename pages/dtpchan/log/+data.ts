import { render } from 'vike/abort'
import type { PageContextServer } from 'vike/types'
import { isFailed, loadPageData } from '#pages/pageData.ts'
import { parseBefore } from '#src/contract/log.ts'
import { t } from '#src/i18n/t.ts'

export type Data = Awaited<ReturnType<typeof data>>

export async function data({ api, config, urlParsed: { search } }: PageContextServer) {
  // An invalid number shows the first page.
  const before = parseBefore(search.before)
  const found = await loadPageData(config, async () => ({ before, page: await api.moderation.log({ before }) }))
  // Responds with 404 to a number before the first entry.
  if (before !== undefined && !isFailed(found) && found.page.entries.length === 0)
    throw render(404, t('ui.pageNotFound'))
  return found
}
