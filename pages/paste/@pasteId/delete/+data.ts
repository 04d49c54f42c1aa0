import type { PageContextServer } from 'vike/types'
import { pasteMessages } from '#src/contract/paste.ts'
import { load } from '../../../load.ts'

export type Data = Awaited<ReturnType<typeof data>>

export const data = ({ api, routeParams: { pasteId = '' }, urlParsed }: PageContextServer) => {
  const token = urlParsed.search.token ?? ''
  const read = async () => ({ pasteId, token, ...(await api.paste.deletable({ pasteId, token })) })
  return load(read(), pasteMessages.load)
}
