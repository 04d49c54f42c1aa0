import type { Head } from '#pages/head.ts'
import { t } from '#src/i18n/t.ts'

export default {
  title: ({ site }) => t('auth.adminLogin', { boards: site.boardsName }).trim(),
  description: ({ site }) => t('auth.description', { boards: site.boardsName }),
  noindex: true,
} satisfies Head
