import type { Head } from '#pages/head.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default {
  title: () => t('site.programsWeLove'),
  description: () => t('program.pageDescription'),
  failure: () => t('program.loadFailed'),
} satisfies Head<Data>
