import { derivedFromData } from '#pages/pageData.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default derivedFromData<Data>(
  ({ page: { board } }, { site }) =>
    t('board.archiveDescription', { board: board.id, name: board.name, site: site.boardsName }),
  ({ site }) => t('board.archiveFallback', { site: site.boardsName }),
)
