import type { Head } from '#pages/head.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default {
  title: () => t('ui.deletePaste'),
  description: () => t('paste.deleteDescription'),
  noindex: true,
  failure: () => t('paste.loadFailed'),
} satisfies Head<Data>
