import type { Head } from '#pages/head.ts'
import { t } from '#src/i18n/t.ts'

export default {
  title: () => t('password.title'),
  description: () => t('password.description'),
} satisfies Head
