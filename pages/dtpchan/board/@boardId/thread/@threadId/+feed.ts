import type { FeedPage } from '#pages/head.ts'
import { derivedFromData } from '#pages/pageData.ts'
import { threadPath } from '#src/contract/boardPaths.ts'
import type { Data } from './+data.ts'

export default derivedFromData<Data, FeedPage | null>(
  ({ board, thread }) => ({ path: threadPath(board.id, thread.id), title: thread.title }),
  null,
)
