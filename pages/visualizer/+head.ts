import type { Head } from '#pages/head.ts'
import { t } from '#src/i18n/t.ts'

export default {
  title: () => t('player.visualiser'),
  description: () => t('player.visualiserDescription'),
} satisfies Head
