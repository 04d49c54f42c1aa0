import { derivedFromData } from '#pages/pageData.ts'
import { parseCursor } from '#src/contract/threadCursor.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default derivedFromData<Data>(
  ({ list: { board }, cursor }, { site }) => {
    const text = t('board.boardPageDescription', { description: board.description, site: site.boardsName })
    const after = parseCursor(cursor)
    return after ? t('board.olderThan', { id: after.id, text }) : text
  },
  ({ site }) => t('board.boardFallback', { site: site.boardsName }),
)
