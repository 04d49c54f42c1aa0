import type { PageContextServer } from 'vike/types'
import { boardMessages } from '#src/contract/board.ts'
import { load } from '../../load.ts'

export type Data = Awaited<ReturnType<typeof data>>

export const data = ({ api }: PageContextServer) => load(api.board.list(), boardMessages.loadBoards)
