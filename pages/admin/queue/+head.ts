import type { Head } from '#pages/head.ts'
import { t } from '#src/i18n/t.ts'

export default {
  title: () => t('admin.pageTitle', { section: t('admin.queue') }),
  description: () => t('admin.queueDescription'),
  noindex: true,
} satisfies Head
