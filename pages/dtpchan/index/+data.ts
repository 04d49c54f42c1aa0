import type { PageContextServer } from 'vike/types'
import { loadPageData } from '#pages/pageData.ts'
import { boardMessages } from '#src/contract/board.ts'

export type Data = Awaited<ReturnType<typeof data>>

export const data = ({ api }: PageContextServer) => loadPageData(api.board.overview(), boardMessages.loadBoards)
