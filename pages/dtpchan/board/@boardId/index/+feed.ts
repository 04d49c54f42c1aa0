import type { FeedPage } from '#pages/head.ts'
import { derivedFromData } from '#pages/pageData.ts'
import { boardPath } from '#src/contract/boardPaths.ts'
import type { Data } from './+data.ts'

export default derivedFromData<Data, FeedPage | null>(
  ({ list: { board } }) => ({ path: boardPath(board.id), title: `/${board.id}/ - ${board.name}` }),
  null,
)
