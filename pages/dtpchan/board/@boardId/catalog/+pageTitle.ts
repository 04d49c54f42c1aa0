import { derivedFromData } from '#pages/pageData.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default derivedFromData<Data>(
  ({ page: { board } }) => t('board.catalogPageTitle', { board: board.id, name: board.name }),
  () => t('board.catalog'),
)
