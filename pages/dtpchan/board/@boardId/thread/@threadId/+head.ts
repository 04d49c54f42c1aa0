import type { Head } from '#pages/head.ts'
import { threadCardPath, threadPath } from '#src/contract/thread.ts'
import { describeThread, threadStructuredData } from '#src/features/board/thread/structuredData.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default {
  // The number distinguishes threads with the same title.
  title: ({ data }) => {
    if (!data) return t('board.thread')
    const { title, boardId, id } = data.thread
    return t('board.threadPageTitle', { title, board: boardId, id })
  },
  // Browsers do not load this code.
  description: import.meta.env.SSR
    ? ({ data, site }) =>
        data ? describeThread(data.source.thread) : t('board.threadFallback', { site: site.boardsName })
    : undefined,
  failure: () => t('board.loadThread'),
  feed: ({ data: { board, thread } }) => ({ path: threadPath(board.id, thread.id), title: thread.title }),
  preview: ({
    data: {
      board,
      thread: { id, title, createdAt, lastActivity },
    },
  }) => ({
    image: { url: threadCardPath(board.id, id), alt: `${title} - /${board.id}/` },
    article: { published: createdAt, modified: lastActivity, section: board.name },
  }),
  // Browsers do not load this code.
  structuredData: import.meta.env.SSR
    ? ({ data, site, siteUrl }) => {
        const { board, thread } = data.source
        return threadStructuredData(board, thread, { siteUrl, boardsName: site.boardsName })
      }
    : undefined,
} satisfies Head<Data>
