import type { Head } from '#pages/head.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default {
  title: ({ site }) => site.boardsName,
  description: ({ site }) => t('board.boardsDescription', { site: site.boardsName }),
  failure: () => t('board.loadBoards'),
} satisfies Head<Data>
