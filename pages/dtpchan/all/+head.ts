import type { Head } from '#pages/head.ts'
import { overboardPath, parseCursor } from '#src/contract/thread.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default {
  // Each page of older threads has its own title.
  title: ({ data }) => {
    const after = parseCursor(data?.cursor)
    return after ? t('board.allBoardsOlder', { id: after.id }) : t('board.allThreads')
  },
  description: ({ data, site }) => {
    const text = t('board.allBoardsDescription', { site: site.boardsName })
    const after = parseCursor(data?.cursor)
    return after ? t('board.olderThan', { id: after.id, text }) : text
  },
  failure: () => t('board.loadThreads'),
  canonical: ({ data }) => overboardPath(data.cursor),
} satisfies Head<Data>
