import type { PageContextServer } from 'vike/types'
import { loadPageData } from '#pages/pageData.ts'
import type { HighlightedPaste } from '#src/contract/paste.ts'

export type Data = Awaited<ReturnType<typeof data>>

export const data = async ({ api, config, routeParams: { pasteId = '' }, submittedForm }: PageContextServer) => {
  const { result } = submittedForm ?? {}
  const refusal = submittedForm?.refusal?.text ?? null
  // A paste that burns is deleted by now.
  if (result) return { ...(result as HighlightedPaste), now: new Date(), refusal }
  return loadPageData(config, async () => ({ ...(await api.paste.page({ pasteId })), refusal }))
}
