import type { Head } from '#pages/head.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default {
  title: ({ data }) => data?.title ?? t('site.page'),
  description: ({ data, site: { name } }) =>
    data ? t('site.pageOfSite', { title: data.title, name }) : t('site.pageDescription', { name }),
  failure: () => t('site.pageFailed'),
} satisfies Head<Data>
