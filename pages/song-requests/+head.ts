import type { Head } from '#pages/head.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default {
  title: () => t('show.requestSong'),
  description: () => t('show.requestsDescription'),
  failure: () => t('show.requestsFailed'),
  noindex: true,
} satisfies Head<Data>
