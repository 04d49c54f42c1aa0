import type { PageContextServer } from 'vike/types'
import { loadListPart } from '#pages/pageData.ts'

export type Data = Awaited<ReturnType<typeof data>>

export const data = (pageContext: PageContextServer) =>
  loadListPart(pageContext, (cursor) => pageContext.api.board.shownOverboard({ cursor }))
