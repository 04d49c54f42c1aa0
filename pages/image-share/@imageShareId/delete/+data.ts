import type { PageContextServer } from 'vike/types'
import { loadPageData } from '#pages/pageData.ts'
import { imageMessages } from '#src/contract/image.ts'

export type Data = Awaited<ReturnType<typeof data>>

export const data = ({ api, routeParams: { imageShareId = '' }, urlParsed }: PageContextServer) => {
  const token = urlParsed.search.token ?? ''
  const read = async () => ({ token, ...(await api.image.deletable({ id: imageShareId, token })) })
  return loadPageData(read(), imageMessages.loadShare)
}
