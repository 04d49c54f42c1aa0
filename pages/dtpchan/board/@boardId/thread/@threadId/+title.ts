import { fromData } from '#pages/load.ts'
import { titled } from '#pages/title.ts'
import type { Data } from './+data.ts'

// The number tells two threads of one title apart.
export default titled(
  fromData<Data>(({ thread }) => `${thread.title} - /${thread.boardId}/ No. ${thread.id}`, 'Thread'),
)
