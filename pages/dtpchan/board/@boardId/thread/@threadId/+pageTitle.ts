import { derivedFromData } from '#pages/pageData.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

// The number distinguishes threads with the same title.
export default derivedFromData<Data>(
  ({ thread: { title, boardId, id } }) => t('board.threadPageTitle', { title, board: boardId, id }),
  () => t('board.thread'),
)
