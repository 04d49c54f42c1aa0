import type { Head } from '#pages/head.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default {
  title: () => t('site.reportAbuse'),
  description: () => t('moderation.reportDescription'),
  failure: () => t('moderation.formFailed'),
  noindex: true,
} satisfies Head<Data>
