import { derivedFromData } from '#pages/pageData.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default derivedFromData<Data>(
  ({ page: { board } }, { site }) => {
    const { id, name, description } = board
    return t('board.catalogDescription', { board: id, name, site: site.boardsName, description })
  },
  ({ site }) => t('board.catalogFallback', { site: site.boardsName }),
)
