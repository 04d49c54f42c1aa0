import type { Head } from '#pages/head.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default {
  title: () => t('site.apiTitle'),
  description: () => t('site.apiDescription'),
  failure: () => t('site.pageFailed'),
} satisfies Head<Data>
