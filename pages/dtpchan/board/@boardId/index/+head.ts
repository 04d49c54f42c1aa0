import type { Head } from '#pages/head.ts'
import { boardPath } from '#src/contract/board.ts'
import { olderPath, parseCursor } from '#src/contract/thread.ts'
import { boardStructuredData } from '#src/features/board/thread/structuredData.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default {
  // Each page of older threads has its own title.
  title: ({ data }) => {
    if (!data) return t('board.board')
    const { board } = data.list
    const name = `/${board.id}/ - ${board.name}`
    const after = parseCursor(data.cursor)
    return after ? t('board.boardOlder', { name, id: after.id }) : name
  },
  description: ({ data, site: { boardsName: site } }) => {
    if (!data) return t('board.boardFallback', { site })
    const { description } = data.list.board
    // Many descriptions have no full stop, but another sentence follows.
    const text = t('board.boardPageDescription', { description: description.replace(/[^\p{P}\s]$/u, '$&.'), site })
    const after = parseCursor(data.cursor)
    return after ? t('board.olderThan', { id: after.id, text }) : text
  },
  failure: () => t('board.loadThreads'),
  canonical: ({ data: { list, cursor } }) =>
    cursor === undefined ? boardPath(list.board.id) : olderPath(list.board.id, cursor),
  feed: ({
    data: {
      list: { board },
    },
  }) => ({ path: boardPath(board.id), title: `/${board.id}/ - ${board.name}` }),
  // Browsers do not load this code.
  structuredData: import.meta.env.SSR
    ? ({ data: { list }, site, siteUrl }) => boardStructuredData(list.board, { siteUrl, boardsName: site.boardsName })
    : undefined,
} satisfies Head<Data>
