import type { Head } from '#pages/head.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default {
  title: ({ data }) => {
    if (!data) return t('board.post')
    const { board, thread } = data.place
    return thread
      ? t('board.postPageTitleThread', { board: board.id, id: thread.id })
      : t('board.postPageTitle', { board: board.id })
  },
  description: () => t('board.postDescription'),
  noindex: true,
  failure: () => t('board.loadBoard'),
} satisfies Head<Data>
