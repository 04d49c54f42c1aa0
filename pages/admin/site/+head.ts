import type { Head } from '#pages/head.ts'
import { t } from '#src/i18n/t.ts'

export default {
  title: () => t('admin.pageTitle', { section: t('branding.section') }),
  description: () => t('branding.description'),
  noindex: true,
} satisfies Head
