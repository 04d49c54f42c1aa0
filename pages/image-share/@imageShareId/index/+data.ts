import type { PageContextServer } from 'vike/types'
import { loadPageData } from '#pages/pageData.ts'

export type Data = Awaited<ReturnType<typeof data>>

export const data = ({ api, config, routeParams: { imageShareId = '' } }: PageContextServer) =>
  loadPageData(config, () => api.image.share({ id: imageShareId }))
