import { derivedFromData } from '#pages/pageData.ts'
import type { Data } from './+data.ts'

export default derivedFromData<Data>(
  ({ place: { board, thread } }) => `Post - /${board.id}/${thread ? ` No. ${thread.id}` : ''}`,
  'Post',
)
