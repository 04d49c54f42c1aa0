import type { PageContextServer } from 'vike/types'
import { loadPageData } from '#pages/pageData.ts'
import { pasteMessages } from '#src/contract/paste.ts'

export type Data = Awaited<ReturnType<typeof data>>

export const data = ({ api, routeParams: { pasteId = '' }, urlParsed }: PageContextServer) => {
  const token = urlParsed.search.token ?? ''
  const read = async () => ({ pasteId, token, ...(await api.paste.deletable({ pasteId, token })) })
  return loadPageData(read(), pasteMessages.load)
}
