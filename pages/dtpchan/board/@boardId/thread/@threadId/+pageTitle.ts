import { fromData } from '#pages/pageData.ts'
import type { Data } from './+data.ts'

// The number distinguishes threads with the same title.
export default fromData<Data>(({ thread }) => `${thread.title} - /${thread.boardId}/ No. ${thread.id}`, 'Thread')
