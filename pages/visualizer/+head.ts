import type { Head } from '#pages/head.ts'
import { t } from '#src/i18n/t.ts'

export default {
  title: () => t('site.visualiser'),
  description: () => t('player.visualiserDescription'),
} satisfies Head
