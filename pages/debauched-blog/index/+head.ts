import type { Head } from '#pages/head.ts'
import { BLOG_PATH } from '#src/contract/siteContent.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default {
  title: ({ site }) => site.blogName,
  description: ({ data, site }) =>
    data?.posts.length
      ? t('site.blogDescription', { blog: site.blogName, name: site.name })
      : t('site.blogSoonDescription'),
  fallbackData: { posts: [], articles: [], threads: [], isIncomplete: true },
  feed: ({ data, site }) => (data.posts.length > 0 ? { path: BLOG_PATH, title: site.blogName } : null),
} satisfies Head<Data>
