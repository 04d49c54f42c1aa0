import type { PageContextServer } from 'vike/types'
import { load } from '#pages/load.ts'
import { pasteMessages } from '#src/contract/paste.ts'

export type Data = Awaited<ReturnType<typeof data>>

export const data = ({ api, routeParams: { pasteId = '' } }: PageContextServer) =>
  load(api.paste.page({ pasteId }), pasteMessages.load)
