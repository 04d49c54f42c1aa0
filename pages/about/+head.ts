import type { Head } from '#pages/head.ts'
import { t } from '#src/i18n/t.ts'

export default {
  title: () => t('site.about'),
  description: ({ site }) => t('site.aboutDescription', { name: site.name }),
  failure: () => t('site.pageFailed'),
} satisfies Head
