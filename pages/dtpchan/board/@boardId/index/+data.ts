import type { PageContextServer } from 'vike/types'
import { boardMessages } from '#src/contract/board.ts'
import { load } from '../../../../load.ts'

export type Data = Awaited<ReturnType<typeof data>>

export async function data({ api, routeParams, urlParsed }: PageContextServer) {
  const cursor = urlParsed.search.cursor || undefined
  const boardId = routeParams.boardId ?? ''
  return { cursor, list: await load(api.board.threads({ boardId, cursor }), boardMessages.loadThreads) }
}
