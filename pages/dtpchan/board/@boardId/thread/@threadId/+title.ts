import { fromData } from '#pages/pageData.ts'
import { createTitle } from '#pages/title.ts'
import type { Data } from './+data.ts'

// The number tells two threads of one title apart.
export default createTitle(
  fromData<Data>(({ thread }) => `${thread.title} - /${thread.boardId}/ No. ${thread.id}`, 'Thread'),
)
