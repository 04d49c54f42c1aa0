import { derivedFromData } from '#pages/pageData.ts'
import type { Data } from './+data.ts'

// The number distinguishes threads with the same title.
export default derivedFromData<Data>(({ thread }) => `${thread.title} - /${thread.boardId}/ No. ${thread.id}`, 'Thread')
