import { derivedFromData } from '#pages/pageData.ts'
import { parseCursor } from '#src/contract/threadCursor.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

// Each page of older threads has its own title.
export default derivedFromData<Data>(
  ({ cursor }) => {
    const after = parseCursor(cursor)
    return after ? t('board.allBoardsOlder', { id: after.id }) : t('board.allThreads')
  },
  () => t('board.allThreads'),
)
