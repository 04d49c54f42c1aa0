import type { PageContextServer } from 'vike/types'
import { loadPageData } from '#pages/pageData.ts'
import { t } from '#src/i18n/t.ts'

export type Data = Awaited<ReturnType<typeof data>>

export const data = async ({ api, routeParams, urlParsed, submittedForm }: PageContextServer) => {
  const { fields, refusal } = submittedForm ?? {}
  if (refusal === null) return { isDeleted: true as const }
  const { imageShareId: id = '' } = routeParams
  const token = fields?.token ?? urlParsed.search.token ?? ''
  const read = async () => ({ token, refusal, ...(await api.image.deletable({ id, token })) })
  return loadPageData(read(), t('image.loadShareFailed'))
}
