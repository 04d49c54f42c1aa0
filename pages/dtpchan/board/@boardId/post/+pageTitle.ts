import { derivedFromData } from '#pages/pageData.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default derivedFromData<Data>(
  ({ place: { board, thread } }) =>
    thread
      ? t('board.postPageTitleThread', { board: board.id, id: thread.id })
      : t('board.postPageTitle', { board: board.id }),
  () => t('board.post'),
)
