import { createDataPage } from '#pages/dataPage.tsx'
import { ArchiveScreen } from '#src/features/board/lists/ArchiveScreen.tsx'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default createDataPage<Data>(
  () => t('board.archivedThreads'),
  function Archive({ data: { page, cursor } }) {
    return <ArchiveScreen page={page} cursor={cursor} />
  },
)
