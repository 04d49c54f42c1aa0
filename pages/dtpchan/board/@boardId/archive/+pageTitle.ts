import { derivedFromData } from '#pages/pageData.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default derivedFromData<Data>(
  ({ page: { board } }) => t('board.archivePageTitle', { board: board.id, name: board.name }),
  () => t('board.archive'),
)
