import type { PageContextServer } from 'vike/types'
import { loadPageData } from '#pages/pageData.ts'
import { t } from '#src/i18n/t.ts'

export type Data = Awaited<ReturnType<typeof data>>

export const data = ({ api, urlParsed: { search } }: PageContextServer) => {
  const filter = { q: search.q ?? '', category: search.category ?? '' }
  const read = async () => ({ list: await api.program.list(), filter })
  return loadPageData(read(), t('program.loadFailed'))
}
