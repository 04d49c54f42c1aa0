import type { PageContextServer } from 'vike/types'
import { boardMessages } from '#src/contract/board.ts'
import { parseCursor, writeCursor } from '#src/contract/threadCursor.ts'
import { load } from '../../../../load.ts'

export type Data = Awaited<ReturnType<typeof data>>

export const data = ({ api, routeParams: { boardId = '' }, urlParsed }: PageContextServer) => {
  // What is no cursor shows the newest threads, and is their page.
  const after = parseCursor(urlParsed.search.cursor)
  const cursor = after ? writeCursor(after) : undefined
  const read = async () => ({ cursor, list: await api.board.threads({ boardId, cursor }) })
  return load(read(), boardMessages.loadThreads)
}
