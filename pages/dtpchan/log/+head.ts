import type { Head } from '#pages/head.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default {
  title: () => t('board.moderationLog'),
  description: ({ site }) => t('board.logDescription', { site: site.boardsName }),
  failure: () => t('board.loadLog'),
} satisfies Head<Data>
