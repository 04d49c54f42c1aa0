import { derivedFromData } from '#pages/pageData.ts'
import { describeThread } from '#src/features/board/describeThread.ts'
import type { Data } from './+data.ts'

export default derivedFromData<Data>(
  ({ thread }) => describeThread(thread),
  ({ site }) => `A thread of ${site.boardsName}`,
)
