import type { PageContextServer } from 'vike/types'
import { loadPageData } from '#pages/pageData.ts'
import { songRequestLimits } from '#src/contract/songRequest.ts'

export type Data = Awaited<ReturnType<typeof data>>

export const data = ({ api, config, urlParsed: { search }, submittedForm }: PageContextServer) => {
  const query = (search.q ?? '').slice(0, songRequestLimits.query).toWellFormed().replaceAll('\0', '')
  return loadPageData(config, async () => ({
    query,
    queue: await api.songRequest.list(),
    tracks: await api.songRequest.tracks({ q: query }),
    refusal: submittedForm?.refusal?.text ?? null,
  }))
}
