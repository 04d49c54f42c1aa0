import type { AtomFeed } from '#pages/head.ts'
import { derivedFromData } from '#pages/pageData.ts'
import { feedPath, threadPath } from '#src/contract/boardPaths.ts'
import type { Data } from './+data.ts'

export default derivedFromData<Data, AtomFeed | null>(
  ({ board, thread }) => ({ href: feedPath(threadPath(board.id, thread.id)), title: thread.title }),
  null,
)
