import { derivedFromData } from '#pages/pageData.ts'
import { boardPath, olderPath } from '#src/contract/boardPaths.ts'
import type { Data } from './+data.ts'

export default derivedFromData<Data>(
  ({ list: { board }, cursor }) => (cursor === undefined ? boardPath(board.id) : olderPath(board.id, cursor)),
  '',
)
