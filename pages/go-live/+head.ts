import type { Head } from '#pages/head.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default {
  title: () => t('streamer.goLive'),
  description: () => t('streamer.description'),
  failure: () => t('streamer.loadFailed'),
  noindex: true,
} satisfies Head<Data>
