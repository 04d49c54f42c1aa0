import type { Head } from '#pages/head.ts'
import { blogPostStructuredData } from '#src/features/site/structuredData.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default {
  title: ({ data, site }) => data?.title ?? site.blogName,
  description: ({ data, site }) => data?.description || t('site.blogPostDescription', { blog: site.blogName }),
  failure: () => t('site.pageFailed'),
  // Browsers do not load this code.
  structuredData: import.meta.env.SSR
    ? ({ data, site, siteUrl }) => blogPostStructuredData(data, site, siteUrl)
    : undefined,
} satisfies Head<Data>
