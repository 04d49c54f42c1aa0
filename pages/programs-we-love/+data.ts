import type { PageContextServer } from 'vike/types'
import { loadPageData } from '#pages/pageData.ts'
import { programMessages } from '#src/contract/program.ts'

export type Data = Awaited<ReturnType<typeof data>>

export const data = ({ api, urlParsed: { search } }: PageContextServer) => {
  const filter = { q: search.q ?? '', category: search.category ?? '' }
  const read = async () => ({ list: await api.program.list(), filter })
  return loadPageData(read(), programMessages.load)
}
