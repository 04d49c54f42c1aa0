import { createDataPage } from '#pages/dataPage.tsx'
import { OverboardScreen } from '#src/features/board/lists/OverboardScreen.tsx'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default createDataPage<Data>(
  () => t('board.allThreads'),
  function All({ data: { page, cursor } }) {
    return <OverboardScreen page={page} cursor={cursor} />
  },
)
