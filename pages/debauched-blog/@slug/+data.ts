import type { PageContextServer } from 'vike/types'
import { loadPageData } from '#pages/pageData.ts'

export type Data = Awaited<ReturnType<typeof data>>

export const data = ({ api, config, routeParams }: PageContextServer) =>
  loadPageData(config, () => api.site.blogPost({ slug: routeParams.slug ?? '' }))
