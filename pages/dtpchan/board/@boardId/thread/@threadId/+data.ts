import type { PageContextServer } from 'vike/types'
import { boardMessages } from '#src/contract/board.ts'
import { packThread } from '#src/features/board/packed.ts'
import { load } from '../../../../../load.ts'

export type Data = Awaited<ReturnType<typeof data>>

export const data = ({ api, routeParams: { boardId = '', threadId = '' } }: PageContextServer) =>
  load(api.board.thread({ boardId, threadId }).then(packThread), boardMessages.loadThread)
