import type { PageContextServer } from 'vike/types'
import { load } from '#pages/load.ts'
import { boardMessages } from '#src/contract/board.ts'

export type Data = Awaited<ReturnType<typeof data>>

export const data = ({ api, routeParams: { boardId = '', threadId = '' } }: PageContextServer) =>
  load(api.board.thread({ boardId, threadId }), boardMessages.loadThread)
