import type { Head } from '#pages/head.ts'
import { t } from '#src/i18n/t.ts'

export default {
  title: () => t('account.title'),
  description: () => t('account.description'),
  noindex: true,
} satisfies Head
