import type { AtomFeed } from '#pages/head.ts'
import { derivedFromData } from '#pages/pageData.ts'
import { boardPath, feedPath } from '#src/contract/boardPaths.ts'
import type { Data } from './+data.ts'

export default derivedFromData<Data, AtomFeed | null>(
  ({ list: { board } }) => ({ href: feedPath(boardPath(board.id)), title: `/${board.id}/ - ${board.name}` }),
  null,
)
