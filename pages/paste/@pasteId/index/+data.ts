import type { PageContextServer } from 'vike/types'
import { loadPageData } from '#pages/pageData.ts'
import { pasteMessages } from '#src/contract/paste.ts'

export type Data = Awaited<ReturnType<typeof data>>

export const data = ({ api, routeParams: { pasteId = '' } }: PageContextServer) =>
  loadPageData(api.paste.page({ pasteId }), pasteMessages.load)
