import type { Head } from '#pages/head.ts'
import { t } from '#src/i18n/t.ts'

export default {
  title: () => t('show.favourites'),
  description: () => t('show.favouritesDescription'),
  noindex: true,
} satisfies Head
