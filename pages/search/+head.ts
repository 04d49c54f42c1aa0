import type { Head } from '#pages/head.ts'
import { searchLimits } from '#src/contract/search.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default {
  title: ({ data }) =>
    data?.fields.q ? t('search.pageTitle', { query: data.fields.q.slice(0, searchLimits.query) }) : t('search.title'),
  description: ({ site }) => t('search.description', { site: site.boardsName }),
  noindex: true,
  failure: () => t('search.load'),
} satisfies Head<Data>
