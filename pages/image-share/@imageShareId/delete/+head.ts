import type { Head } from '#pages/head.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default {
  title: () => t('image.deleteTitle'),
  description: () => t('image.deleteDescription'),
  noindex: true,
  failure: () => t('image.loadShareFailed'),
} satisfies Head<Data>
