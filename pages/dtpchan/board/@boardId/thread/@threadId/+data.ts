import type { PageContextServer } from 'vike/types'
import { boardMessages } from '#src/contract/board.ts'
import { load } from '../../../../../load.ts'

export type Data = Awaited<ReturnType<typeof data>>

export const data = ({ api, routeParams: { boardId = '', threadId = '' } }: PageContextServer) =>
  load(api.board.thread({ boardId, threadId }), boardMessages.loadThread)
