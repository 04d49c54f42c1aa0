import type { PageContextServer } from 'vike/types'
import { loadPageData } from '#pages/pageData.ts'

export type Data = Awaited<ReturnType<typeof data>>

export const data = async ({ api, config, routeParams, urlParsed, submittedForm }: PageContextServer) => {
  const { fields, refusal } = submittedForm ?? {}
  if (refusal === null) return { isDeleted: true as const }
  const { imageShareId: id = '' } = routeParams
  const token = fields?.token ?? urlParsed.search.token ?? ''
  return loadPageData(config, async () => ({
    token,
    refusal: refusal?.text,
    ...(await api.image.deletable({ id, token })),
  }))
}
