import type { PageContextServer } from 'vike/types'
import { loadPageData } from '#pages/pageData.ts'
import { siteContentMessages } from '#src/contract/siteContent.ts'

export type Data = Awaited<ReturnType<typeof data>>

export const data = ({ api, routeParams }: PageContextServer) =>
  loadPageData(api.site.page({ slug: routeParams.slug ?? '' }), siteContentMessages.load)
