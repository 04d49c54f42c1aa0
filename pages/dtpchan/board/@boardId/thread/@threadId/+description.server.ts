import { derivedFromData } from '#pages/pageData.ts'
import { describeThread } from '#src/features/board/describeThread.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default derivedFromData<Data>(
  ({ thread }) => describeThread(thread),
  ({ site }) => t('board.threadFallback', { site: site.boardsName }),
)
