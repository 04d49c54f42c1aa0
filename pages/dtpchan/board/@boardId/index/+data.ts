import type { PageContextServer } from 'vike/types'
import { boardMessages } from '#src/contract/board.ts'
import { load } from '../../../../load.ts'

export type Data = Awaited<ReturnType<typeof data>>

export const data = ({ api, routeParams: { boardId = '' }, urlParsed }: PageContextServer) => {
  const cursor = urlParsed.search.cursor || undefined
  const read = async () => ({ cursor, list: await api.board.threads({ boardId, cursor }) })
  return load(read(), boardMessages.loadThreads)
}
