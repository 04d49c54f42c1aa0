import type { PageContextServer } from 'vike/types'
import { loadPageData } from '#pages/pageData.ts'

export type Data = Awaited<ReturnType<typeof data>>

export const data = ({ api, config, urlParsed: { search } }: PageContextServer) => {
  const filter = { q: search.q ?? '', category: search.category ?? '' }
  return loadPageData(config, async () => ({ list: await api.program.list(), filter }))
}
