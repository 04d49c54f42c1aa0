import { fromData } from '#pages/pageData.ts'
import { createTitle } from '#pages/title.ts'
import type { Data } from './+data.ts'

// The number distinguishes threads with the same title.
export default createTitle(
  fromData<Data>(({ thread }) => `${thread.title} - /${thread.boardId}/ No. ${thread.id}`, 'Thread'),
)
