import type { PageContext } from 'vike/types'
import type { FeedPage } from '#pages/head.ts'
import { BLOG_PATH } from '#src/contract/siteContent.ts'
import type { Data } from './+data.ts'

export default ({ data, site }: PageContext & { data?: Data }): FeedPage | null =>
  data && data.posts.length > 0 ? { path: BLOG_PATH, title: site.blogName } : null
